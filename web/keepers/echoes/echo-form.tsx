import type { Echo } from '#contract/keepers/echoes.ts'
import type { Keeper } from '#contract/keepers/keepers.ts'
import { SelectField } from '#web/ui/select-field.tsx'
import { Switch } from '#web/ui/switch.tsx'
import { TextArea } from '#web/ui/text-area.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { EntryForm } from '../entries/entry-form.tsx'
import { useEntryEditor } from '../entries/use-entry-editor.tsx'
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
    entry,
    initialValues: entry ? toEchoValues(entry) : blankEcho,
    toValues: toEchoValues,
    toBody: toEchoBody,
    validate: (values) => validateEcho(values, entry ? toEchoValues(entry) : null),
    // A sealed text can't be shown, but the writer still chooses which version stays.
    compare: (yours, current) => [
      current.sealed
        ? { name: 'message', label: 'Message', yours: 'What you wrote', current: 'The sealed text', choiceOnly: true }
        : { name: 'message', label: 'Message', yours: yours.message, current: current.message },
    ],
    onSaved: onClose,
  })
  const { values, set, fieldErrors } = editor
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
        value={values.message}
        onChange={(event) => set({ message: event.currentTarget.value })}
        placeholder={isSealed ? 'Sealed. Anything you write here replaces it.' : 'To yourself, later'}
        error={fieldErrors.message}
      />
      <Switch
        label="Seal this echo"
        help="No one can read the echo until it’s delivered, not even you."
        checked={values.sealed}
        onCheckedChange={(sealed) => set({ sealed })}
      />
      {fieldErrors.sealed && <p className="text-small text-destructive">{fieldErrors.sealed}</p>}
      <fieldset className="flex min-w-0 flex-col gap-4 border-t border-border pt-4">
        <legend className="pe-3 text-ui font-semibold">Comes back</legend>
        <div className="grid gap-4 desk:grid-cols-2">
          <TextField
            label="On a date"
            type="date"
            value={values.date}
            onChange={(event) => set({ date: event.currentTarget.value })}
            error={fieldErrors.triggerDate}
          />
          <TextField
            label="When a topic comes up again"
            maxLength={80}
            value={values.topic}
            onChange={(event) => set({ topic: event.currentTarget.value })}
            placeholder="Father"
            error={fieldErrors['triggerConditions.topic']}
          />
          <SelectField
            label="When a journey is completed"
            value={values.journeyId}
            onChange={(event) => set({ journeyId: event.currentTarget.value })}
            options={[
              { value: '', label: journeys.length === 0 ? 'No journeys yet' : 'No journey' },
              ...journeys.map(({ id, title }) => ({ value: id, label: title })),
            ]}
            error={fieldErrors['triggerConditions.journeyId']}
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
            error={fieldErrors['triggerConditions.silentDays']}
          />
          <TextField
            label="On an anniversary"
            type="date"
            value={values.anniversary}
            onChange={(event) => set({ anniversary: event.currentTarget.value })}
            help="The next time this month and day come around. The year is ignored."
            error={fieldErrors['triggerConditions.anniversary']}
          />
        </div>
        <p role="status" className="font-serif text-body text-muted-foreground">
          {triggerText ? `Comes back ${triggerText}.` : 'No date yet. Choose when it comes back.'}
        </p>
      </fieldset>
    </EntryForm>
  )
}
