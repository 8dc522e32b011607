import { getLocalDay } from '#contract/keepers/local-time.ts'
import type { LogbookEntry } from '#contract/keepers/logbook.ts'
import { getChanges } from '#web/offline/use-entity-form.tsx'
import { Checkbox } from '#web/ui/controls/checkbox.tsx'
import { ChipInput } from '#web/ui/fields/chip-input.tsx'
import { SelectField } from '#web/ui/fields/select-field.tsx'
import { TextArea } from '#web/ui/fields/text-area.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { Banner } from '#web/ui/panels/banner.tsx'
import { lazyComponent } from '#web/ui/panels/lazy-component.tsx'
import { Skeleton } from '#web/ui/panels/skeleton.tsx'
import { getLocalTimeZone } from '#web/ui/text/format-time.ts'
import { EntryForm, useEntryEditor } from '../entries/entry-form.tsx'
import { listCategories, logbookKind } from '../entries/entry-kinds.ts'
import type { EntryFormContext } from '../entries/entry-parts.tsx'
import { toJourneyOptions, useJourneys } from '../journeys/journey-queries.ts'

const MomentField = lazyComponent(
  async () => (await import('./moment-field.tsx')).MomentField,
  <Skeleton className="h-14" />,
)

type LogbookValues = Pick<
  LogbookEntry,
  'entry' | 'label' | 'category' | 'tags' | 'occurredOn' | 'pinned' | 'aiVisible' | 'momentId' | 'journeyId'
>

const requiredMessage = 'Entry, label, and category are required'

const toLogbookValues = (savedEntry: LogbookEntry): LogbookValues => {
  const { entry, label, category, tags, occurredOn, pinned, aiVisible, momentId, journeyId } = savedEntry
  return { entry, label, category, tags, occurredOn, pinned, aiVisible, momentId, journeyId }
}

export function LogbookForm({ keeper, entryList, entry, onClose }: EntryFormContext<LogbookEntry>) {
  const { data: journeys = [] } = useJourneys(keeper)
  const today = getLocalDay(getLocalTimeZone(), Date.now())
  const editor = useEntryEditor<LogbookEntry, LogbookValues>({
    kind: logbookKind,
    entryList,
    keeperId: keeper.id,
    entity: entry,
    blank: toLogbookValues({ ...logbookKind.createEmpty('', keeper.id, ''), occurredOn: today }),
    toValues: toLogbookValues,
    toBody(values, previous) {
      const { entry: text, label, category } = values
      const trimmedTexts = { entry: text.trim(), label: label.trim(), category: category.trim() }
      return getChanges(previous, { ...values, ...trimmedTexts })
    },
    validate: (values) =>
      Object.fromEntries(
        (['entry', 'label', 'category'] as const).flatMap((name) =>
          values[name].trim() === '' ? [[name, requiredMessage]] : [],
        ),
      ),
    onSaved: onClose,
  })
  const { values, set, field, errors } = editor
  const isMissingRequired = Object.values(errors).includes(requiredMessage)
  return (
    <EntryForm
      editor={editor}
      label={entry ? `Edit ${entry.label}` : 'New logbook entry'}
      saveLabel={entry ? 'Save Logbook Entry' : 'Add Logbook Entry'}
      onClose={onClose}
    >
      {isMissingRequired && <Banner tone="error">{requiredMessage}</Banner>}
      <TextField
        label="Label"
        required
        autoFocus
        maxLength={120}
        {...field('label')}
        error={errors.label === requiredMessage ? 'Enter a label.' : errors.label}
      />
      <TextArea
        label="Entry"
        required
        serif
        rows={5}
        maxLength={50_000}
        {...field('entry')}
        placeholder="Who you were, in a few sentences"
        error={errors.entry === requiredMessage ? 'Write a few words.' : errors.entry}
      />
      <div className="grid gap-4 desk:grid-cols-2">
        <div>
          <TextField
            label="Category"
            required
            list="logbook-categories"
            maxLength={80}
            {...field('category')}
            error={errors.category === requiredMessage ? 'Enter a category.' : errors.category}
          />
          <datalist id="logbook-categories">
            {listCategories(entryList.entries ?? []).map((category) => (
              <option key={category} value={category} />
            ))}
          </datalist>
        </div>
        <TextField
          label="Day"
          type="date"
          value={values.occurredOn}
          onChange={({ currentTarget: { value: occurredOn } }) => {
            if (occurredOn) set({ occurredOn })
          }}
          error={errors.occurredOn}
        />
        <ChipInput
          label="Tags"
          value={values.tags}
          onValueChange={(tags) => set({ tags })}
          placeholder="Type a tag and press Enter"
          error={errors.tags}
        />
        <SelectField
          label="Journey"
          value={values.journeyId ?? ''}
          onChange={(event) => set({ journeyId: event.currentTarget.value || null })}
          options={toJourneyOptions(journeys)}
          error={errors.journeyId}
        />
      </div>
      {!entryList.isDemo && (
        <MomentField
          keeper={keeper}
          momentId={values.momentId ?? null}
          onMomentChange={(momentId) => set({ momentId })}
          error={errors.momentId}
        />
      )}
      <div className="flex flex-wrap gap-x-6 gap-y-2">
        <Checkbox label="Pin to the top" checked={values.pinned} onCheckedChange={(pinned) => set({ pinned })} />
        <Checkbox
          label="Not for AI"
          checked={!values.aiVisible}
          onCheckedChange={(isHidden) => set({ aiVisible: !isHidden })}
        />
      </div>
    </EntryForm>
  )
}
