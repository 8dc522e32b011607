import { type Echo, type TriggerConditions, triggerConditions } from '#contract/keepers/echoes.ts'
import { ownTimeZone } from '#web/ui/format-time.ts'
import { clockAt } from './echo-room.ts'

/** The fields of the echo form. */
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
  others: Record<string, unknown>
}

export const blankEcho: EchoValues = {
  message: '',
  sealed: false,
  date: '',
  topic: '',
  journeyId: '',
  silentDays: null,
  anniversary: '',
  others: {},
}

export function echoValues({ message, sealed, triggerDate, triggerConditions, triggerTimezone }: Echo): EchoValues {
  const { topic = '', journeyId = '', silentDays = null, anniversary, ...others } = triggerConditions ?? {}
  return {
    message,
    sealed,
    date: triggerDate ? clockAt(triggerDate, triggerTimezone).day : '',
    topic,
    journeyId,
    silentDays,
    anniversary: anniversary ? `2028-${anniversary}` : '',
    others,
  }
}

export function conditionsOf(values: EchoValues): TriggerConditions | null {
  const { topic, journeyId, silentDays, anniversary, others } = values
  const conditions = {
    ...others,
    ...(topic.trim() && { topic: topic.trim() }),
    ...(journeyId && { journeyId }),
    ...(silentDays && !silentDaysProblem(silentDays) && { silentDays }),
    ...(anniversary && { anniversary: anniversary.slice(5, 10) }),
  }
  return Object.keys(conditions).length > 0 ? conditions : null
}

const silentDaysProblem = (days: number) => triggerConditions.shape.silentDays.safeParse(days).error?.issues[0]?.message

/** The body of a save: filled fields of a new echo, changed fields otherwise. A sealed text is sent only when rewritten. */
export function echoBody(values: EchoValues, before: EchoValues | null): Record<string, unknown> {
  const message = values.message.trim()
  const conditions = conditionsOf(values)
  if (!before)
    return {
      message,
      ...(values.sealed && { sealed: true }),
      ...(values.date && { triggerDate: values.date }),
      ...(conditions && { triggerConditions: conditions }),
      ...((values.date || values.anniversary) && { triggerTimezone: ownTimeZone() }),
    }
  const changed = JSON.stringify(conditions) !== JSON.stringify(conditionsOf(before))
  // A newly chosen day is meant in the current time zone, so the echo's other day moves there too.
  const isChosen =
    (values.date !== before.date && values.date !== '') ||
    (values.anniversary !== before.anniversary && values.anniversary !== '')
  return {
    ...(message !== '' && message !== before.message && { message }),
    ...(values.sealed !== before.sealed && { sealed: values.sealed }),
    ...((values.date !== before.date || (isChosen && values.date)) && { triggerDate: values.date || null }),
    ...(changed && { triggerConditions: conditions }),
    ...(isChosen && { triggerTimezone: ownTimeZone() }),
  }
}

/** Validation errors by field. A sealed echo needs no text unless it is unsealed. */
export function missingInEcho(values: EchoValues, before: EchoValues | null): Record<string, string> {
  const keepsText = before?.sealed === true && values.sealed
  const wrongDays = values.silentDays !== null && silentDaysProblem(values.silentDays)
  return {
    ...(values.message.trim() === '' && !keepsText && { message: 'Message is required' }),
    ...(wrongDays && { 'triggerConditions.silentDays': wrongDays }),
  }
}
