import type { Person } from './person.ts'

const lifetime = 30_000
const mostEntries = 10_000

/**
 * Who a token belongs to, remembered for 30 seconds. Ending a session or changing rights forgets it at once in this
 * process; other processes notice when their entry is 30 seconds old.
 */
export class SessionCache {
  readonly #entries = new Map<string, { person: Person; until: number }>()
  /** How often something was forgotten. What was read from the database before the last time may be out of date. */
  forgotten = 0

  find(tokenHash: string, now: number): Person | undefined {
    const entry = this.#entries.get(tokenHash)
    if (!entry) return undefined
    if (entry.until > now && entry.person.sessionExpiresAt > now) return entry.person
    this.#entries.delete(tokenHash)
    return undefined
  }

  /** `forgotten` is what that count was before the person was read. */
  remember(tokenHash: string, person: Person, now: number, forgotten: number): void {
    if (forgotten !== this.forgotten) return
    if (this.#entries.size >= mostEntries) this.#entries.clear()
    this.#entries.set(tokenHash, { person, until: now + lifetime })
  }

  forgetSession(sessionId: string): void {
    this.forgotten++
    for (const [hash, { person }] of this.#entries) if (person.sessionId === sessionId) this.#entries.delete(hash)
  }

  forgetPerson(personId: string): void {
    this.forgotten++
    for (const [hash, { person }] of this.#entries) if (person.id === personId) this.#entries.delete(hash)
  }
}
