import { mostTabsPerPerson, presenceEndsMs, type SomebodyThere } from '#contract/boards/board-live.ts'

interface Guest extends SomebodyThere {
  /** Milliseconds since 1970. */
  heardAt: number
}
interface Room {
  guests: Map<string, Guest>
  seq: number
}

/** Open tabs by board in this process; never stored. */
export class BoardRooms {
  readonly #sessions = new Map<string, Room>()
  #sweptAt = 0

  /** Records that a tab is present; a tab belongs to the person who opened it. */
  enter(boardId: string, guest: SomebodyThere, now: number): void {
    const room = this.#sessions.get(boardId) ?? { guests: new Map(), seq: 0 }
    this.#sessions.set(boardId, room)
    const known = room.guests.get(guest.tab)
    if (known && known.personId !== guest.personId) return
    // Reinserted to keep the map in order of last activity.
    room.guests.delete(guest.tab)
    room.guests.set(guest.tab, { ...guest, heardAt: now })
    const own = [...room.guests.values()].filter(({ personId }) => personId === guest.personId)
    for (const { tab } of own.slice(0, -mostTabsPerPerson)) room.guests.delete(tab)
    this.#sweep(now)
  }

  get size(): number {
    return this.#sessions.size
  }

  /** Drops sessions whose tabs disappeared without leaving. */
  #sweep(now: number): void {
    if (now - this.#sweptAt < presenceEndsMs) return
    this.#sweptAt = now
    for (const boardId of [...this.#sessions.keys()]) this.guests(boardId, now)
  }

  leave(boardId: string, tab: string, personId: string): SomebodyThere | undefined {
    const room = this.#sessions.get(boardId)
    const guest = room?.guests.get(tab)
    if (!room || guest?.personId !== personId) return undefined
    room.guests.delete(tab)
    if (room.guests.size === 0) this.#sessions.delete(boardId)
    return withoutTime(guest)
  }

  /** Present guests; those silent for {@link presenceEndsMs} are dropped. */
  guests(boardId: string, now: number): SomebodyThere[] {
    const room = this.#sessions.get(boardId)
    if (!room) return []
    for (const { tab, heardAt } of [...room.guests.values()])
      if (now - heardAt > presenceEndsMs) room.guests.delete(tab)
    if (room.guests.size === 0) this.#sessions.delete(boardId)
    return [...room.guests.values()].map(withoutTime)
  }

  /** Sequence number of a board's changes; at least the time in ms, so that it keeps rising across restarts. */
  nextSeq(boardId: string, now: number): number {
    const room = this.#sessions.get(boardId)
    if (!room) return 0
    room.seq = Math.max(room.seq + 1, now)
    return room.seq
  }
}

function withoutTime({ heardAt: _, ...guest }: Guest): SomebodyThere {
  return guest
}
