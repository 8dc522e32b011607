import { type BoardParticipant, maxTabsPerPerson, presenceTimeoutMs } from '#contract/boards/board-live.ts'
import type { LiveEvent } from '#contract/live/live-events.ts'
import type { Services } from '#server/services.ts'

interface ActiveParticipant extends BoardParticipant {
  lastSeenAt: number
}
interface BoardSession {
  participants: Map<string, ActiveParticipant>
  seq: number
}

export class BoardSessions {
  readonly #sessions = new Map<string, BoardSession>()
  #sweptAt = 0

  enter(boardId: string, participant: BoardParticipant, now: number): void {
    const session = this.#sessions.get(boardId) ?? { participants: new Map(), seq: 0 }
    this.#sessions.set(boardId, session)
    const existing = session.participants.get(participant.tab)
    if (existing && existing.personId !== participant.personId) return
    // Reinserted to keep the map in order of last activity.
    session.participants.delete(participant.tab)
    session.participants.set(participant.tab, { ...participant, lastSeenAt: now })
    const personTabs = [...session.participants.values()].filter(({ personId }) => personId === participant.personId)
    for (const { tab } of personTabs.slice(0, -maxTabsPerPerson)) session.participants.delete(tab)
    this.#sweep(now)
  }

  get size(): number {
    return this.#sessions.size
  }

  #sweep(now: number): void {
    if (now - this.#sweptAt < presenceTimeoutMs) return
    this.#sweptAt = now
    for (const boardId of [...this.#sessions.keys()]) this.listParticipants(boardId, now)
  }

  leave(boardId: string, tab: string, personId: string): BoardParticipant | undefined {
    const session = this.#sessions.get(boardId)
    const participant = session?.participants.get(tab)
    if (!session || participant?.personId !== personId) return undefined
    session.participants.delete(tab)
    if (session.participants.size === 0) this.#sessions.delete(boardId)
    return omitLastSeen(participant)
  }

  listParticipants(boardId: string, now: number): BoardParticipant[] {
    const session = this.#sessions.get(boardId)
    if (!session) return []
    for (const { tab, lastSeenAt } of [...session.participants.values()])
      if (now - lastSeenAt > presenceTimeoutMs) session.participants.delete(tab)
    if (session.participants.size === 0) this.#sessions.delete(boardId)
    return [...session.participants.values()].map(omitLastSeen)
  }

  /** Returns the next sequence number of a board's changes: at least the time (ms), so that it rises across restarts. */
  incrementSeq(boardId: string, now: number): number {
    const session = this.#sessions.get(boardId)
    if (!session) return 0
    session.seq = Math.max(session.seq + 1, now)
    return session.seq
  }
}

function omitLastSeen({ lastSeenAt: _, ...participant }: ActiveParticipant): BoardParticipant {
  return participant
}

export function broadcastToBoard(
  { live }: Services,
  participants: readonly BoardParticipant[],
  readerIds: ReadonlySet<string>,
  event: LiveEvent,
): void {
  const personIds = new Set(participants.map(({ personId }) => personId))
  for (const personId of personIds) if (readerIds.has(personId)) live.publishLocally(personId, event)
}
