import { type BoardParticipant, maxTabsPerPerson, presenceTimeoutMs } from '#contract/boards/board-live.ts'

interface Guest extends BoardParticipant {
  lastSeenAt: number
}
interface BoardSession {
  guests: Map<string, Guest>
  seq: number
}

export class BoardSessions {
  readonly #sessions = new Map<string, BoardSession>()
  #sweptAt = 0

  enter(boardId: string, guest: BoardParticipant, now: number): void {
    const session = this.#sessions.get(boardId) ?? { guests: new Map(), seq: 0 }
    this.#sessions.set(boardId, session)
    const existing = session.guests.get(guest.tab)
    if (existing && existing.personId !== guest.personId) return
    // Reinserted to keep the map in order of last activity.
    session.guests.delete(guest.tab)
    session.guests.set(guest.tab, { ...guest, lastSeenAt: now })
    const ownTabs = [...session.guests.values()].filter(({ personId }) => personId === guest.personId)
    for (const { tab } of ownTabs.slice(0, -maxTabsPerPerson)) session.guests.delete(tab)
    this.#sweep(now)
  }

  get size(): number {
    return this.#sessions.size
  }

  #sweep(now: number): void {
    if (now - this.#sweptAt < presenceTimeoutMs) return
    this.#sweptAt = now
    for (const boardId of [...this.#sessions.keys()]) this.listGuests(boardId, now)
  }

  leave(boardId: string, tab: string, personId: string): BoardParticipant | undefined {
    const session = this.#sessions.get(boardId)
    const guest = session?.guests.get(tab)
    if (!session || guest?.personId !== personId) return undefined
    session.guests.delete(tab)
    if (session.guests.size === 0) this.#sessions.delete(boardId)
    return omitLastSeen(guest)
  }

  listGuests(boardId: string, now: number): BoardParticipant[] {
    const session = this.#sessions.get(boardId)
    if (!session) return []
    for (const { tab, lastSeenAt } of [...session.guests.values()])
      if (now - lastSeenAt > presenceTimeoutMs) session.guests.delete(tab)
    if (session.guests.size === 0) this.#sessions.delete(boardId)
    return [...session.guests.values()].map(omitLastSeen)
  }

  /** Sequence number of a board's changes; at least the time in ms, so that it keeps rising across restarts. */
  nextSeq(boardId: string, now: number): number {
    const session = this.#sessions.get(boardId)
    if (!session) return 0
    session.seq = Math.max(session.seq + 1, now)
    return session.seq
  }
}

function omitLastSeen({ lastSeenAt: _, ...guest }: Guest): BoardParticipant {
  return guest
}
