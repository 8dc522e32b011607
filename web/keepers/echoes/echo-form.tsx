import { type Echo, type TriggerConditions, triggerConditions } from '#contract/keepers/echoes.ts'
import { Switch } from '#web/ui/controls/switch.tsx'
import { SelectField } from '#web/ui/fields/select-field.tsx'
import { TextArea } from '#web/ui/fields/text-area.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { getLocalTimeZone } from '#web/ui/text/format-time.ts'
import { EntryForm, useEntryEditor } from '../entries/entry-form.tsx'
import { describeTriggers, echoKind, getLocalClock } from '../entries/entry-kinds.ts'
import type { EntryFormContext } from '../entries/entry-parts.tsx'
import { toJourneyOptions, useJourneys } from '../journeys/journey-queries.ts'

const maxSilentDays = 3650
const leapYear = 2028

export function EchoForm({ keeper, entryList, entry, onClose }: EntryFormContext<Echo>) {
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
    // In a conflict, sealed texts can't be compared; the writer only chooses which version stays.
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
            options={toJourneyOptions(journeys)}
            error={errors['triggerConditions.journeyId']}
          />
          <TextField
            label="After a number of quiet days"
            type="number"
            inputMode="numeric"
            min={1}
            max={maxSilentDays}
            value={formatDays(values.silentDays)}
            onChange={({ currentTarget }) => set({ silentDays: parseDays(currentTarget) })}
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

const formatDays = (days: number | null) => (days === null || Number.isNaN(days) ? '' : days)

/** Browsers report `''` for an empty field and for text that isn't a number. */
const parseDays = ({ value, valueAsNumber, validity }: HTMLInputElement) =>
  value === '' && !validity.badInput ? null : valueAsNumber

interface EchoValues {
  message: string
  sealed: boolean
  /** `2026-12-24`, or ''. */
  date: string
  topic: string
  journeyId: string
  /** `NaN` when the field holds something other than a number. */
  silentDays: number | null
  /** `2028-11-20`; the year is ignored, but a leap year allows every day. */
  anniversary: string
  /** Conditions this version doesn't know, sent back unchanged. */
  unknownConditions: Record<string, unknown>
}

export const blankEcho: EchoValues = {
  message: '',
  sealed: false,
  date: '',
  topic: '',
  journeyId: '',
  silentDays: null,
  anniversary: '',
  unknownConditions: {},
}

export function toEchoValues({ message, sealed, triggerDate, triggerConditions, triggerTimezone }: Echo): EchoValues {
  const { topic = '', journeyId = '', silentDays = null, anniversary, ...unknownConditions } = triggerConditions ?? {}
  return {
    message,
    sealed,
    date: triggerDate ? getLocalClock(triggerDate, triggerTimezone).day : '',
    topic,
    journeyId,
    silentDays,
    anniversary: anniversary ? `${leapYear}-${anniversary}` : '',
    unknownConditions,
  }
}

export function toTriggerConditions(values: EchoValues): TriggerConditions | null {
  const { topic, journeyId, silentDays, anniversary, unknownConditions } = values
  const conditions = {
    ...unknownConditions,
    ...(topic.trim() && { topic: topic.trim() }),
    ...(journeyId && { journeyId }),
    ...(silentDays && !getSilentDaysProblem(silentDays) && { silentDays }),
    ...(anniversary && { anniversary: anniversary.slice(5, 10) }),
  }
  return Object.keys(conditions).length > 0 ? conditions : null
}

const getSilentDaysProblem = (days: number) =>
  triggerConditions.shape.silentDays.safeParse(days).error?.issues[0]?.message

/** The body of a save: filled fields of a new echo, changed fields otherwise. A sealed text is sent only when rewritten. */
export function toEchoBody(values: EchoValues, previous: EchoValues | null): Record<string, unknown> {
  const message = values.message.trim()
  const conditions = toTriggerConditions(values)
  if (!previous)
    return {
      message,
      ...(values.sealed && { sealed: true }),
      ...(values.date && { triggerDate: values.date }),
      ...(conditions && { triggerConditions: conditions }),
      ...((values.date || values.anniversary) && { triggerTimezone: getLocalTimeZone() }),
    }
  const haveConditionsChanged = JSON.stringify(conditions) !== JSON.stringify(toTriggerConditions(previous))
  // An echo has one time zone. Choosing a new date or anniversary sets it to the current one for both.
  const isNewDayChosen =
    (values.date !== previous.date && values.date !== '') ||
    (values.anniversary !== previous.anniversary && values.anniversary !== '')
  const mustSendDate = values.date !== previous.date || (isNewDayChosen && values.date !== '')
  return {
    ...(message !== '' && message !== previous.message && { message }),
    ...(values.sealed !== previous.sealed && { sealed: values.sealed }),
    ...(mustSendDate && { triggerDate: values.date || null }),
    ...(haveConditionsChanged && { triggerConditions: conditions }),
    ...(isNewDayChosen && { triggerTimezone: getLocalTimeZone() }),
  }
}

/** Validation errors by field. A sealed echo needs no text unless it is unsealed. */
export function validateEcho(values: EchoValues, previous: EchoValues | null): Record<string, string> {
  const canKeepText = previous?.sealed === true && values.sealed
  const daysProblem = values.silentDays !== null && getSilentDaysProblem(values.silentDays)
  return {
    ...(values.message.trim() === '' && !canKeepText && { message: 'Message is required' }),
    ...(daysProblem && { 'triggerConditions.silentDays': daysProblem }),
  }
}
