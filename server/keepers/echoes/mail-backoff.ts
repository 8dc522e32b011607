import { dayMs, hourMs } from '#server/hours-and-days.ts'
import type { Services } from '#server/services.ts'

/** Longer than the interval of the sweep, so that other people's emails get sent in between. */
const firstWaitMs = 2 * 60_000
const longestWaitMs = 6 * hourMs
/** About two days with doubling delays. */
const mostTries = 16
const forgottenAfterMs = dayMs

/** Delays emails after failures in this process: one bad mailbox must not block the emails of others. */
export class MailBackoff {
  readonly #refused = new Map<string, { tries: number; until: number }>()
  readonly #broken = new Set<string>()

  /** Ids of people to skip; those with a broken connection only until the next round. */
  waiting(now: number): string[] {
    for (const [personId, { until }] of this.#refused)
      if (until + forgottenAfterMs < now) this.#refused.delete(personId)
    return [...this.#broken, ...[...this.#refused].filter(([, { until }]) => until > now).map(([personId]) => personId)]
  }

  /** Starts a new round. Returns whether someone was waiting for it. */
  newTurn(): boolean {
    const waited = this.#broken.size > 0
    this.#broken.clear()
    return waited
  }

  /** The mail server failed, which does not count as an attempt. */
  connectionBroke(personId: string): void {
    this.#broken.add(personId)
  }

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

export function mailBackoff({ mailer }: Services): MailBackoff {
  const present = patienceOf.get(mailer) ?? new MailBackoff()
  patienceOf.set(mailer, present)
  return present
}
