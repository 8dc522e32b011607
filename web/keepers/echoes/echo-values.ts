import { type Echo, type TriggerConditions, triggerConditions } from '#contract/keepers/echoes.ts'
import { getLocalTimeZone } from '#web/ui/text/format-time.ts'
import { getLocalClock } from './echo-kind.ts'

export interface EchoValues {
  message: string
  sealed: boolean
  /** `2026-12-24`, or ''. */
  date: string
  topic: string
  journeyId: string
  /** `NaN` when the field holds something other than a number. */
  silentDays: number | null
  /** `2028-11-20`; the year is ignored. */
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
    anniversary: anniversary ? `2028-${anniversary}` : '',
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
  // A newly chosen day is meant in the current time zone, so the echo's other day moves there too.
  const isNewDayChosen =
    (values.date !== previous.date && values.date !== '') ||
    (values.anniversary !== previous.anniversary && values.anniversary !== '')
  return {
    ...(message !== '' && message !== previous.message && { message }),
    ...(values.sealed !== previous.sealed && { sealed: values.sealed }),
    ...((values.date !== previous.date || (isNewDayChosen && values.date)) && { triggerDate: values.date || null }),
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
