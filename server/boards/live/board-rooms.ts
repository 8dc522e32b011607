import { mostTabsPerPerson, presenceEndsMs, type SomebodyThere } from '#contract/boards/board-live.ts'

interface Guest extends SomebodyThere {
  /** Milliseconds since 1970. */
  heardAt: number
}
interface Room {
  guests: Map<string, Guest>
  /** Of the last change that was passed on. */
  seq: number
}

/** Who is on which board at this moment, tab by tab, within this process. Nothing of it is stored. */
export class BoardRooms {
  readonly #rooms = new Map<string, Room>()
  #sweptAt = 0

  /** Notes that a tab is there; a tab belongs to who came with it. */
  enter(boardId: string, guest: SomebodyThere, now: number): void {
    const room = this.#rooms.get(boardId) ?? { guests: new Map(), seq: 0 }
    this.#rooms.set(boardId, room)
    const known = room.guests.get(guest.tab)
    if (known && known.personId !== guest.personId) return
    // Behind the others: in the order in which they were heard of.
    room.guests.delete(guest.tab)
    room.guests.set(guest.tab, { ...guest, heardAt: now })
    const own = [...room.guests.values()].filter(({ personId }) => personId === guest.personId)
    for (const { tab } of own.slice(0, -mostTabsPerPerson)) room.guests.delete(tab)
    this.#sweep(now)
  }

  /** How many boards somebody was heard of on lately. */
  get size(): number {
    return this.#rooms.size
  }

  /** Rooms that nobody asks for any more, whose tabs never said that they leave. */
  #sweep(now: number): void {
    if (now - this.#sweptAt < presenceEndsMs) return
    this.#sweptAt = now
    for (const boardId of [...this.#rooms.keys()]) this.guests(boardId, now)
  }

  /** Returns who left, if it was there. */
  leave(boardId: string, tab: string, personId: string): SomebodyThere | undefined {
    const room = this.#rooms.get(boardId)
    const guest = room?.guests.get(tab)
    if (!room || guest?.personId !== personId) return undefined
    room.guests.delete(tab)
    if (room.guests.size === 0) this.#rooms.delete(boardId)
    return withoutTime(guest)
  }

  /** Who is there; whoever was not heard of for {@link presenceEndsMs} is not. */
  guests(boardId: string, now: number): SomebodyThere[] {
    const room = this.#rooms.get(boardId)
    if (!room) return []
    for (const { tab, heardAt } of [...room.guests.values()])
      if (now - heardAt > presenceEndsMs) room.guests.delete(tab)
    if (room.guests.size === 0) this.#rooms.delete(boardId)
    return [...room.guests.values()].map(withoutTime)
  }

  /** The order of the changes of a board. Milliseconds, so that the numbers go on rising when Keeper starts anew. */
  nextSeq(boardId: string, now: number): number {
    const room = this.#rooms.get(boardId)
    if (!room) return 0
    room.seq = Math.max(room.seq + 1, now)
    return room.seq
  }
}

function withoutTime({ heardAt: _, ...guest }: Guest): SomebodyThere {
  return guest
}
