import * as z from 'zod/mini'
import type { BoardChange, SomebodyThere } from '../boards/board-live.ts'
import { endpoint } from '../endpoint.ts'
import type { Entity } from '../keepers/keeper-words.ts'

/** One happening that concerns this person; pages ask for the named thing again. Never carries journal text. */
export type LiveEvent =
  | { type: 'run-started' | 'run-finished'; runId: string; agentId: string; sessionId: string | null }
  /** A chat session has another name, shows another branch, or is gone. */
  | { type: 'chat-changed'; sessionId: string }
  | { type: 'agents-changed' }
  /** Something in a keeper is other than it was; `entity` says of which kind. */
  | { type: 'keeper-changed'; keeperId: string; entity: Entity | 'sole' | 'embedding' }
  /** An import went on, or ended. */
  | { type: 'import-changed'; jobId: string }
  /** A domain one belongs to, its members, or what is shared in it is other than it was. */
  | { type: 'domains-changed'; domainId: string | null }
  /** A board of the list is new, gone, renamed, or shared otherwise. */
  | { type: 'boards-changed'; boardId: string | null }
  /** Somebody saved a board that one has open; `tab` names the tab that did. */
  | { type: 'board-saved'; boardId: string; rev: number; personId: string; tab: string | null }
  /** Somebody on the same board moved, or left. */
  | { type: 'board-presence'; boardId: string; who: SomebodyThere; gone: boolean }
  /** A change of somebody on the same board that is not saved yet; the one happening that carries what is written there. */
  | {
      type: 'board-change'
      boardId: string
      tab: string
      personId: string
      name: string | null
      seq: number
      change: BoardChange
    }
  | { type: 'keys-changed' }
  /** One’s platform roles are others than they were. */
  | { type: 'session-changed' }
  /** Where one is signed in, or whether and when the account goes, is other than it was. */
  | { type: 'account-changed' }
  | { type: 'session-ended' }

export const live = {
  events: endpoint('GET /api/events', {
    summary: 'Happenings that concern this person, as an event stream; one per tab',
    access: 'person',
    returns: z.unknown(),
    streams: true,
  }),
}
