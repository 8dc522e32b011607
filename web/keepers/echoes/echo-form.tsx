import type { Echo } from '#contract/keepers/echoes.ts'
import type { Keeper } from '#contract/keepers/keepers.ts'
import { Switch } from '#web/ui/controls/switch.tsx'
import { SelectField } from '#web/ui/fields/select-field.tsx'
import { TextArea } from '#web/ui/fields/text-area.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { EntryForm, useEntryEditor } from '../entries/entry-form.tsx'
import type { EntryList } from '../entries/use-entry-list.ts'
import { useJourneys } from '../journeys/journey-queries.ts'
import { describeTriggers, echoKind } from './echo-kind.ts'
import {
  blankEcho,
  type EchoValues,
  toEchoBody,
  toEchoValues,
  toTriggerConditions,
  validateEcho,
} from './echo-values.ts'

interface EchoFormProps {
  keeper: Keeper
  entryList: EntryList<Echo>
  /** `null` for a new echo. */
  entry: Echo | null
  onClose: () => void
}

export function EchoForm({ keeper, entryList, entry, onClose }: EchoFormProps) {
  const { data: journeys = [] } = useJourneys(keeper)
  const editor = useEntryEditor<Echo, EchoValues>({
    kind: echoKind,
    entryList,
    keeperId: keeper.id,
    entity: entry,
    blank: blankEcho,
    toValues: toEchoValues,
    toBody: toEchoBody,
    validate: validateEcho,
    // Not a text to edit together: the writer only chooses which version stays.
    toMaskedFields: ({ sealed }) => (sealed ? { message: ['The sealed text'] } : {}),
    onSaved: onClose,
  })
  const { values, set, field, errors } = editor
  const triggers = {
    triggerDate: values.date ? `${values.date}T00:00:00.000Z` : null,
    triggerConditions: toTriggerConditions(values),
    triggerTimezone: null,
  }
  const triggerText = describeTriggers(triggers, (id) => journeys.find((journey) => journey.id === id)?.title)
  const isSealed = entry?.sealed === true
  return (
    <EntryForm
      editor={editor}
      label={entry ? 'Edit echo' : 'New echo'}
      saveLabel={entry ? 'Save Echo' : 'Create Echo'}
      onClose={onClose}
    >
      <TextArea
        label="Message"
        required={!isSealed}
        serif
        autoFocus
        rows={5}
        maxLength={20_000}
        {...field('message')}
        placeholder={isSealed ? 'Sealed. Anything you write here replaces it.' : 'To yourself, later'}
      />
      <Switch
        label="Seal this echo"
        help="No one can read the echo until it’s delivered, not even you."
        checked={values.sealed}
        onCheckedChange={(sealed) => set({ sealed })}
      />
      {errors.sealed && <p className="text-small text-destructive">{errors.sealed}</p>}
      <fieldset className="flex min-w-0 flex-col gap-4 border-t border-border pt-4">
        <legend className="pe-3 text-ui font-semibold">Comes back</legend>
        <div className="grid gap-4 desk:grid-cols-2">
          <TextField label="On a date" type="date" {...field('date')} error={errors.triggerDate} />
          <TextField
            label="When a topic comes up again"
            maxLength={80}
            {...field('topic')}
            placeholder="Father"
            error={errors['triggerConditions.topic']}
          />
          <SelectField
            label="When a journey is completed"
            {...field('journeyId')}
            options={[
              { value: '', label: journeys.length === 0 ? 'No journeys yet' : 'No journey' },
              ...journeys.map(({ id, title }) => ({ value: id, label: title })),
            ]}
            error={errors['triggerConditions.journeyId']}
          />
          <TextField
            label="After a number of quiet days"
            type="number"
            inputMode="numeric"
            min={1}
            max={3650}
            value={Number.isNaN(values.silentDays) ? '' : (values.silentDays ?? '')}
            onChange={({ currentTarget: { value, valueAsNumber, validity } }) =>
              set({ silentDays: value === '' && !validity.badInput ? null : valueAsNumber })
            }
            help="Days without a moment or a reflection."
            error={errors['triggerConditions.silentDays']}
          />
          <TextField
            label="On an anniversary"
            type="date"
            {...field('anniversary')}
            help="The next time this month and day come around. The year is ignored."
            error={errors['triggerConditions.anniversary']}
          />
        </div>
        <p role="status" className="font-serif text-body text-muted-foreground">
          {triggerText ? `Comes back ${triggerText}.` : 'No date yet. Choose when it comes back.'}
        </p>
      </fieldset>
    </EntryForm>
  )
}
