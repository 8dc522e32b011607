import type { Services } from '#server/services.ts'
import { dayMs, hourMs } from '#server/time-units.ts'

/** Longer than the sweep interval, so that other people's emails get sent in between. */
const initialWaitMs = 2 * 60_000
const maxWaitMs = 6 * hourMs
/** About two days with doubling delays. */
const maxAttempts = 16
const forgetAfterMs = dayMs

/** Delays emails after failures in this process: one bad mailbox must not block the emails of others. */
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

  startNewRound(): boolean {
    const hadWaiting = this.#failedPersonIds.size > 0
    this.#failedPersonIds.clear()
    return hadWaiting
  }

  /** The mail server failed, which does not count as an attempt. */
  recordConnectionFailure(personId: string): void {
    this.#failedPersonIds.add(personId)
  }

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
