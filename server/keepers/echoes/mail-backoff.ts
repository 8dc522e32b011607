import { dayMs, hourMs } from '#server/hours-and-days.ts'
import type { Services } from '#server/services.ts'

/** Longer than from sweep to sweep: the others have theirs in between. */
const firstWaitMs = 2 * 60_000
const longestWaitMs = 6 * hourMs
/** Two days, with waits that double up to the longest. */
const mostTries = 16
const forgottenAfterMs = dayMs

/**
 * Whose mails wait for now, by what this process met: a mailbox that takes nothing, or a mail over which the connection
 * breaks, must not hold up those of everybody.
 */
export class MailBackoff {
  readonly #refused = new Map<string, { tries: number; until: number }>()
  readonly #broken = new Set<string>()

  /** Ids of people; of those over whose mails the connection broke only until the others had their turn. */
  waiting(now: number): string[] {
    for (const [personId, { until }] of this.#refused)
      if (until + forgottenAfterMs < now) this.#refused.delete(personId)
    return [...this.#broken, ...[...this.#refused].filter(([, { until }]) => until > now).map(([personId]) => personId)]
  }

  /** A new turn for everybody. Answers whether somebody waited for one. */
  newTurn(): boolean {
    const waited = this.#broken.size > 0
    this.#broken.clear()
    return waited
  }

  /** The mail server itself failed: no try of this person's. */
  connectionBroke(personId: string): void {
    this.#broken.add(personId)
  }

  /** Answers whether this mail is worth another try. */
  refused(personId: string, now: number): boolean {
    const tries = (this.#refused.get(personId)?.tries ?? 0) + 1
    this.#refused.set(personId, { tries, until: now + Math.min(firstWaitMs * 2 ** (tries - 1), longestWaitMs) })
    return tries < mostTries
  }

  taken(personId: string): void {
    this.#refused.delete(personId)
  }
}

const patienceOf = new WeakMap<Services['mailer'], MailBackoff>()

/** The one of this process. */
export function mailBackoff({ mailer }: Services): MailBackoff {
  const present = patienceOf.get(mailer) ?? new MailBackoff()
  patienceOf.set(mailer, present)
  return present
}
