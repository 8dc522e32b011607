import { apology } from '#contract/agents/answer-texts.ts'
import type { ApiError } from '#web/api/api.ts'
import { countDaysBetween, toLocalDay } from '#web/ui/text/days.ts'
import { formatTime } from '#web/ui/text/format-time.ts'

export function formatRetryTime(seconds: number, now = new Date()): string {
  if (seconds <= 1) return 'in a moment'
  if (seconds < 90) return `in ${seconds} seconds`
  if (seconds < 3600) return `in ${Math.ceil(seconds / 60)} minutes`
  const retryAt = new Date(now.getTime() + seconds * 1000)
  const days = countDaysBetween(toLocalDay(now), toLocalDay(retryAt))
  if (days === 0) return `at ${formatTime(retryAt, 'time')}`
  if (days === 1) return `tomorrow at ${formatTime(retryAt, 'time')}`
  return `on ${formatTime(retryAt, 'date-time')}`
}

export function getFailureText(
  { code, message }: { code: string; message: string },
  agentName: string,
): string | undefined {
  if (code === 'stopped' || code === 'interrupted') return undefined
  if (message !== apology) return message
  // Visitors only learn the kind of failure.
  return code === 'context-too-long'
    ? `That’s more than ${agentName} can read at once. Write less, or start a new session.`
    : undefined
}

/** Notice for a refused message; the text is kept in every case. */
export function getRefusalText(
  reason: ApiError,
  { agentName, signedIn, canSignIn = true }: { agentName: string; signedIn: boolean; canSignIn?: boolean },
  now?: Date,
): string {
  if (reason.status !== 429) return reason.message
  const retryTime =
    reason.retryAfterSeconds === undefined ? 'a little later' : formatRetryTime(reason.retryAfterSeconds, now)
  if (signedIn) return `${reason.message} Your message is kept; you can send it again ${retryTime}.`
  if (reason.code === 'over-budget')
    return `${agentName} has answered all it can for visitors right now. Your message is kept; you can send it again ${retryTime}.`
  const signInHint = canSignIn ? ', or sign in for a higher limit' : ''
  return `You sent too many messages in a short time. Your message is kept; you can send it again ${retryTime}${signInHint}.`
}
