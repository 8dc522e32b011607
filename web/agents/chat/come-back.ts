import { apology } from '#contract/agents/answer-words.ts'
import type { ApiError } from '#web/api.ts'
import { daysBetween, localDay } from '#web/ui/days.ts'
import { formatTime } from '#web/ui/format-time.ts'

/** 'in 40 seconds', 'in 5 minutes', 'at 1:00 AM', 'tomorrow at 1:00 AM', 'on Nov 24, 2026, 1:00 AM'. */
export function whenAgain(seconds: number, now = new Date()): string {
  if (seconds <= 1) return 'in a moment'
  if (seconds < 90) return `in ${seconds} seconds`
  if (seconds < 3600) return `in ${Math.ceil(seconds / 60)} minutes`
  const then = new Date(now.getTime() + seconds * 1000)
  const days = daysBetween(localDay(now), localDay(then))
  if (days === 0) return `at ${formatTime(then, 'time')}`
  if (days === 1) return `tomorrow at ${formatTime(then, 'time')}`
  return `on ${formatTime(then, 'date-time')}`
}

/** What is said beside the apology of an answer that failed: why, as far as the server tells. */
export function failureText(
  { code, message }: { code: string; message: string },
  agentName: string,
): string | undefined {
  if (code === 'stopped' || code === 'interrupted') return undefined
  if (message !== apology) return message
  // A visitor is told no more of it than its kind.
  return code === 'context-too-long'
    ? `That is more than ${agentName} can read at once. Write less, or begin a new session.`
    : undefined
}

/** What is said above the conversation when a message was not taken; what was written is kept in every case. */
export function refusalText(
  reason: ApiError,
  { agentName, signedIn, maySignIn = true }: { agentName: string; signedIn: boolean; maySignIn?: boolean },
  now?: Date,
): string {
  if (reason.status !== 429) return reason.message
  const when = reason.retryAfterSeconds === undefined ? 'a little later' : whenAgain(reason.retryAfterSeconds, now)
  if (signedIn) return `${reason.message} What you wrote is kept; you can send it again ${when}.`
  if (reason.code === 'over-budget')
    return `${agentName} has answered visitors as much as it may for now. What you wrote is kept; you can send it again ${when}.`
  const more = maySignIn ? ', or sign in to have more room' : ''
  return `That was a lot in a short time. What you wrote is kept; you can send it again ${when}${more}.`
}
