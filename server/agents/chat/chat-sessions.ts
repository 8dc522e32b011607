import { type SelectQueryBuilder, sql } from 'kysely'
import type { ChatMessage, ChatSession } from '#contract/agents/chat.ts'
import { type Database, json, requireChanges, type Write } from '#server/db/database.ts'
import { ForeignKeyViolation, UnexpectedChanges } from '#server/db/database-errors.ts'
import type { Schema } from '#server/db/schema.ts'
import { Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { toIsoTime } from '#server/values/iso-time.ts'
import { findAgentFor } from '../agent-access.ts'
import type { AgentRow } from '../agent-view.ts'
import type { Runner } from '../runs/execute/runner.ts'
import { findNewestLeaf, listSessionMessages } from './session-messages.ts'
import {
  buildSessionInsert,
  createOwnerFilter,
  createSessionNotFoundProblem,
  defaultSessionName,
  requireSession,
} from './session-rows.ts'
import { createReplyInProgressProblem, refuseWhileReplying, requireMessage } from './turns.ts'

export async function createSession(
  services: Services,
  runner: Runner,
  agent: AgentRow,
  name: string | null,
): Promise<ChatSession> {
  const { row, insert } = buildSessionInsert(services, runner, agent, name || defaultSessionName)
  try {
    await insert.execute()
  } catch (error) {
    if (error instanceof ForeignKeyViolation) throw new Problem('not-found', { message: 'Agent not found' })
    throw error
  }
  return toSessionView({ ...row, agent_name: agent.name, agent_slug: agent.slug, message_count: 0 }, runner)
}

const openMessageCount = sql<number>`(
  with recursive path (id, parent_id) as (
    select last.id, last.parent_id from messages as last where last.id = chat_sessions.shown_message_id
    union all
    select parent.id, parent.parent_id from messages as parent join path on parent.id = path.parent_id
  )
  select count(*) from path
)`

function selectOwnSessions(services: Services, runner: Runner) {
  return services.db
    .selectFrom('chat_sessions')
    .innerJoin('agents', 'agents.id', 'chat_sessions.agent_id')
    .where(createOwnerFilter(runner))
}

function selectSession(sessions: ReturnType<typeof selectOwnSessions>) {
  return sessions
    .selectAll('chat_sessions')
    .select(['agents.name as agent_name', 'agents.slug as agent_slug', 'agents.visibility as agent_visibility'])
    .select(openMessageCount.as('message_count'))
}

type SessionRow = Awaited<ReturnType<ReturnType<typeof selectSession>['executeTakeFirstOrThrow']>>

/** Shows hidden agents under the name of their last run in the session, because their current name is private. */
async function maskHiddenAgents(services: Services, runner: Runner, rows: SessionRow[]): Promise<SessionRow[]> {
  const ids = [...new Set(rows.map((row) => row.agent_id))]
  const hiddenIds: string[] = []
  await Promise.all(
    ids.map(async (id) => {
      const isVisible = runner.person
        ? await findAgentFor(services, runner.person, id)
        : rows.find((row) => row.agent_id === id)?.agent_visibility === 'public'
      if (!isVisible) hiddenIds.push(id)
    }),
  )
  return Promise.all(
    rows.map(async (row) => {
      if (!hiddenIds.includes(row.agent_id)) return row
      const lastRun = await services.db
        .selectFrom('runs')
        .select(['agent_name', 'agent_slug'])
        .where('session_id', '=', row.id)
        .orderBy('created_at', 'desc')
        .limit(1)
        .executeTakeFirst()
      return { ...row, agent_name: lastRun?.agent_name ?? 'Private agent', agent_slug: lastRun?.agent_slug ?? '' }
    }),
  )
}

function toSessionView(row: Omit<SessionRow, 'agent_visibility'>, runner: Runner): ChatSession {
  return {
    id: row.id,
    agent: { id: row.agent_id, name: row.agent_name, slug: row.agent_slug },
    user: runner.person ? { id: runner.person.id, name: runner.person.name } : null,
    session_name: row.name,
    message_count: Number(row.message_count),
    created_at: toIsoTime(row.created_at),
    updated_at: toIsoTime(row.updated_at),
  }
}

export async function listSessions(
  services: Services,
  runner: Runner,
  params: { agent: AgentRow | null; page: number; pageSize: number },
): Promise<{ sessions: ChatSession[]; totalPages: number }> {
  let sessions = selectOwnSessions(services, runner)
  if (params.agent) sessions = sessions.where('chat_sessions.agent_id', '=', params.agent.id)
  const { total } = await sessions
    .select((select) => select.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  const rows = await selectSession(sessions)
    .orderBy('chat_sessions.updated_at', 'desc')
    .orderBy('chat_sessions.id')
    .limit(params.pageSize)
    .offset((params.page - 1) * params.pageSize)
    .execute()
  return {
    sessions: (await maskHiddenAgents(services, runner, rows)).map((row) => toSessionView(row, runner)),
    totalPages: Math.max(1, Math.ceil(Number(total) / params.pageSize)),
  }
}

export async function renameSession(
  services: Services,
  runner: Runner,
  sessionId: string,
  name: string,
): Promise<ChatSession> {
  const session = await requireSession(services, runner, sessionId)
  await services.db.updateTable('chat_sessions').set({ name }).where('id', '=', session.id).execute()
  notifyOtherTabs(services, runner, session.id)
  const row = await selectSession(selectOwnSessions(services, runner))
    .where('chat_sessions.id', '=', session.id)
    .executeTakeFirst()
  if (!row) throw createSessionNotFoundProblem()
  const [visibleRow = row] = await maskHiddenAgents(services, runner, [row])
  return toSessionView(visibleRow, runner)
}

function notifyOtherTabs(services: Services, runner: Runner, sessionId: string): void {
  if (runner.person) services.live.publish(runner.person.id, { type: 'chat-changed', sessionId })
}

/** Run rows stay for usage stats. @throws Problem 404; 409 while a reply is being written */
export async function deleteSession(services: Services, runner: Runner, sessionId: string): Promise<void> {
  const session = await requireSession(services, runner, sessionId)
  await refuseWhileReplying(services, session.id)
  if (!(await forgetSession(services, session))) throw createReplyInProgressProblem()
  notifyOtherTabs(services, runner, session.id)
}

/** Deletes a session with its content. Returns false if it was written to or deleted concurrently. */
export async function forgetSession(
  { db }: Pick<Services, 'db'>,
  session: { id: string; shown_message_id: string | null },
): Promise<boolean> {
  const runIds = db.selectFrom('runs').select('id').where('session_id', '=', session.id)
  // A concurrent turn changes which message is shown.
  const sessionDelete = db
    .deleteFrom('chat_sessions')
    .where('id', '=', session.id)
    .where('shown_message_id', session.shown_message_id === null ? 'is' : '=', session.shown_message_id)
  try {
    await db.batch([...buildForgetWrites(db, runIds), requireChanges(sessionDelete)])
    return true
  } catch (error) {
    if (error instanceof UnexpectedChanges) return false
    throw error
  }
}

type RunIds = readonly string[] | SelectQueryBuilder<Schema, 'runs', { id: string }>

export function buildForgetWrites(db: Database, runIds: RunIds): Write[] {
  return [
    db
      .updateTable('run_spans')
      .set({ input: json<unknown>(null), output: json<unknown>(null), reasoning: null, memory: null })
      .where('run_id', 'in', runIds),
    db.deleteFrom('media').where('run_id', 'in', runIds),
    db
      .updateTable('runs')
      .set({ input: '', response: '', output: null, error: null, tools: null, sources: null })
      .where('id', 'in', runIds),
  ]
}

/** Switches the session, in all tabs, to the newest leaf of the message's branch. @throws Problem 404, 409 */
export async function showBranch(
  services: Services,
  runner: Runner,
  sessionId: string,
  messageId: string,
): Promise<ChatMessage[]> {
  const session = await requireSession(services, runner, sessionId)
  const messages = await services.db
    .selectFrom('messages')
    .select(['id', 'parent_id', 'position'])
    .where('session_id', '=', session.id)
    .execute()
  const { id } = requireMessage(messages, messageId)
  await refuseWhileReplying(services, session.id)
  const sessionUpdate = services.db
    .updateTable('chat_sessions')
    .set({ shown_message_id: findNewestLeaf(messages, id) })
    .where('id', '=', session.id)
    .where('shown_message_id', '=', session.shown_message_id)
  try {
    await services.db.batch([requireChanges(sessionUpdate)])
  } catch (error) {
    if (error instanceof UnexpectedChanges) throw createReplyInProgressProblem()
    throw error
  }
  notifyOtherTabs(services, runner, session.id)
  return listSessionMessages(services, runner, { sessionId: session.id })
}
