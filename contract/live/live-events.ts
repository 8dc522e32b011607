import * as z from 'zod/mini'
import type { BoardChange, BoardParticipant } from '../boards/board-live.ts'
import { defineEndpoint } from '../endpoint.ts'
import type { Entity } from '../keepers/keeper-fields.ts'

/** An event for this person; pages then reload the named entity. Never carries journal text. */
export type LiveEvent =
  | { type: 'run-started' | 'run-finished'; runId: string; agentId: string; sessionId: string | null }
  | { type: 'chat-changed'; sessionId: string }
  | { type: 'agents-changed' }
  | { type: 'keeper-changed'; keeperId: string; entity: Entity | 'sole' | 'embedding' }
  | { type: 'import-changed'; jobId: string }
  | { type: 'domains-changed'; domainId: string | null }
  | { type: 'boards-changed'; boardId: string | null }
  | { type: 'board-saved'; boardId: string; rev: number; personId: string; tab: string | null }
  | { type: 'board-presence'; boardId: string; who: BoardParticipant; gone: boolean }
  /** An unsaved change on an open board; the only event with content. */
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
  | { type: 'session-changed' }
  | { type: 'account-changed' }
  | { type: 'session-ended' }
  | { type: 'session-locked' }

export const live = {
  events: defineEndpoint('GET /api/events', {
    summary: 'Stream the events that concern you; one stream per tab',
    access: 'person',
    response: z.unknown(),
    canStream: true,
  }),
}
