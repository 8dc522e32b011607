import { ProcessBus } from '#server/live/process-bus.ts'
import type { Person } from './person.ts'

const lifetimeMs = 30_000
const maxEntries = 10_000

/**
 * Caches the person of a session token for 30 seconds. Entries are removed, in all processes, when the session or the
 * person's rights change.
 */
export class SessionCache {
  readonly #entries = new Map<string, { person: Person; expiresAt: number }>()
  readonly #bus: ProcessBus
  /** Increases with each removal. `remember` ignores a person who was loaded in an earlier generation. */
  generation = 0

  constructor(bus = new ProcessBus()) {
    this.#bus = bus
    bus.on('session-forgotten', ({ sessionId }) => this.#forget((person) => person.sessionId === sessionId))
    bus.on('person-forgotten', ({ personId }) => this.#forget((person) => person.id === personId))
    bus.onMissed(() => this.#forget(() => true))
  }

  find(tokenHash: string, now: number): Person | undefined {
    const entry = this.#entries.get(tokenHash)
    if (!entry) return undefined
    if (entry.expiresAt > now && entry.person.sessionExpiresAt > now) return entry.person
    this.#entries.delete(tokenHash)
    return undefined
  }

  remember(tokenHash: string, person: Person, now: number, generation: number): void {
    if (generation !== this.generation) return
    if (this.#entries.size >= maxEntries) this.#entries.clear()
    this.#entries.set(tokenHash, { person, expiresAt: now + lifetimeMs })
  }

  forgetSession(sessionId: string): void {
    this.#forget((person) => person.sessionId === sessionId)
    this.#bus.send({ kind: 'session-forgotten', sessionId })
  }

  evictPerson(personId: string): void {
    this.#forget((person) => person.id === personId)
    this.#bus.send({ kind: 'person-forgotten', personId })
  }

  #forget(matches: (person: Person) => boolean): void {
    this.generation++
    for (const [hash, { person }] of this.#entries) if (matches(person)) this.#entries.delete(hash)
  }
}
