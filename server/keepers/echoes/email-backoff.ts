import type { Services } from '#server/services.ts'
import { dayMs, hourMs } from '#server/values/time-units.ts'

/** Longer than the interval between rounds, so that other people's emails are sent first. */
const initialWaitMs = 2 * 60_000
const maxWaitMs = 6 * hourMs
/** Because waits double up to `maxWaitMs`, this takes about two days. */
const maxAttempts = 16
const forgetAfterMs = dayMs

/** Postpones the emails of people whose last one failed, so that one bad mailbox doesn't hold up the others. */
export class EmailBackoff {
  readonly #refusalByPerson = new Map<string, { attempts: number; until: number }>()
  readonly #failedPersonIds = new Set<string>()

  listWaitingPersonIds(now: number): string[] {
    for (const [personId, { until }] of this.#refusalByPerson)
      if (until + forgetAfterMs < now) this.#refusalByPerson.delete(personId)
    return [
      ...this.#failedPersonIds,
      ...[...this.#refusalByPerson].filter(([, { until }]) => until > now).map(([personId]) => personId),
    ]
  }

  /** @returns whether emails of the last round still wait because the mail server failed */
  startNewRound(): boolean {
    const hadWaiting = this.#failedPersonIds.size > 0
    this.#failedPersonIds.clear()
    return hadWaiting
  }

  /** The mail server's own failure: not an attempt. */
  recordConnectionFailure(personId: string): void {
    this.#failedPersonIds.add(personId)
  }

  /** @returns whether to try again */
  recordRefusal(personId: string, now: number): boolean {
    const attempts = (this.#refusalByPerson.get(personId)?.attempts ?? 0) + 1
    this.#refusalByPerson.set(personId, {
      attempts,
      until: now + Math.min(initialWaitMs * 2 ** (attempts - 1), maxWaitMs),
    })
    return attempts < maxAttempts
  }

  recordSuccess(personId: string): void {
    this.#refusalByPerson.delete(personId)
  }
}

const backoffByMailer = new WeakMap<Services['mailer'], EmailBackoff>()

export function getEmailBackoff({ mailer }: Services): EmailBackoff {
  const existing = backoffByMailer.get(mailer) ?? new EmailBackoff()
  backoffByMailer.set(mailer, existing)
  return existing
}
