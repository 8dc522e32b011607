import type { Write } from '#server/db/database.ts'
import { UniqueViolation } from '#server/db/database-errors.ts'
import { Problem } from '#server/http/problem.ts'
import type { ModelRequest } from '#server/models/run-model.ts'
import type { Services } from '#server/services.ts'
import type { AgentRow } from '../agent-row.ts'
import { sessionHistory } from '../runs/run-prompt.ts'
import type { Runner } from '../runs/runner.ts'
import { requireSession, sessionInsert } from './chat-sessions.ts'

export interface TurnWanted {
  input: string
  sessionId?: string | null | undefined
  regenerateOf?: string | null | undefined
  editOf?: string | null | undefined
}

/** Where the next question and its answer go. Without a session there is only the question. */
export interface Turn {
  sessionId: string | null
  /** What the answer is asked for; another than what was sent when an answer is given once more. */
  input: string
  /** What was said before, oldest first. */
  history: ModelRequest['messages']
  /** A new session, which the run refers to and so comes before it. */
  before: Write[]
  /** The messages, which come after it. */
  after(runId: string, now: number): Write[]
}

export async function prepareTurn(
  services: Services,
  runner: Runner,
  agent: AgentRow,
  wanted: TurnWanted,
): Promise<Turn> {
  const { input } = wanted
  const session = wanted.sessionId ? await requireSession(services, runner, wanted.sessionId, agent) : null
  const position = session ? await freePosition(services, session.id) : 1
  const created = !session && agent.memory_enabled ? sessionInsert(services, runner, agent, input) : null
  const sessionId = session?.id ?? created?.id ?? null
  return {
    sessionId,
    input,
    history: session ? await sessionHistory(services, session.id) : [],
    before: created ? [created.insert] : [],
    after: (runId, now) => (sessionId ? turnInserts(services, { sessionId, position, runId, input, now }) : []),
  }
}

/** A turn is two messages: what was asked, and the answer that is filled in as it comes. */
function turnInserts(
  services: Services,
  turn: { sessionId: string; position: number; runId: string; input: string; now: number },
): Write[] {
  const { sessionId, position, runId, input, now } = turn
  const message = (sender: 'user' | 'agent', content: string, at: number) =>
    services.db.insertInto('messages').values({
      id: services.newId(),
      session_id: sessionId,
      sender,
      content,
      run_id: runId,
      created_at: now,
      position: at,
      parent_id: null,
    })
  return [
    message('user', input, position),
    message('agent', '', position + 1),
    services.db.updateTable('chat_sessions').set({ updated_at: now }).where('id', '=', sessionId),
  ]
}

/**
 * Where the next turn of a session goes. Read before looking whether a reply is under way: who is overtaken between
 * here and the insert finds the position taken.
 */
async function freePosition(services: Services, sessionId: string): Promise<number> {
  const { last } = await services.db
    .selectFrom('messages')
    .select((select) => select.fn.max('position').as('last'))
    .where('session_id', '=', sessionId)
    .executeTakeFirstOrThrow()
  const running = await services.db
    .selectFrom('runs')
    .select('id')
    .where('session_id', '=', sessionId)
    .where('status', '=', 'running')
    .where('lease_until', '>', services.now().getTime())
    .executeTakeFirst()
  if (running) throw replyUnderWay()
  return Number(last ?? 0) + 1
}

function replyUnderWay(): Problem {
  return new Problem('conflict', {
    message: 'A reply is still being written in this session. Wait for it, or stop it.',
  })
}

/** Two tabs that send at the same moment want the same position; the second one is told. */
export async function orReplyUnderWay(write: () => Promise<unknown>): Promise<void> {
  try {
    await write()
  } catch (error) {
    if (error instanceof UniqueViolation && error.columns.includes('position')) throw replyUnderWay()
    throw error
  }
}
