import type { Expression, SqlBool } from 'kysely'
import { Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { findAgentFor } from '../agent-access.ts'
import type { AgentRow } from '../agent-view.ts'
import type { Runner } from '../runs/execute/runner.ts'

/** Resolves an id or slug; returns it unchanged if no visible agent has it. */
export async function resolveAgentId(services: Services, runner: Runner, idOrSlug: string): Promise<string> {
  const agent = runner.person
    ? await findAgentFor(services, runner.person, idOrSlug)
    : await services.db
        .selectFrom('agents')
        .select('id')
        .where('slug', '=', idOrSlug)
        .where('visibility', '=', 'public')
        .executeTakeFirst()
  return agent?.id ?? idOrSlug
}

/** Requires the runner's own session with that agent; a foreign session looks like an unknown id. */
export async function requireSession(services: Services, runner: Runner, sessionId: string, agent?: { id: string }) {
  const session = await services.db
    .selectFrom('chat_sessions')
    .selectAll()
    .where('id', '=', sessionId)
    .where(createOwnerFilter(runner))
    .executeTakeFirst()
  if (!session || (agent && session.agent_id !== agent.id)) throw createSessionNotFoundProblem()
  return session
}

export function deriveSessionName(firstMessage: string, currentName = defaultSessionName): string {
  // Cut between code points, not UTF-16 units.
  const title = Array.from(firstMessage.replace(/\s+/g, ' ').trim()).slice(0, 60).join('')
  return currentName === defaultSessionName && title ? title : currentName
}

export function buildSessionInsert(services: Services, runner: Runner, agent: AgentRow, name: string) {
  const now = services.now().getTime()
  const row = {
    id: services.newUnguessableId(),
    agent_id: agent.id,
    person_id: runner.person?.id ?? null,
    visitor_id: runner.visitor?.id ?? null,
    name,
    created_at: now,
    updated_at: now,
    shown_message_id: null,
  }
  return { row, insert: services.db.insertInto('chat_sessions').values(row) }
}

export function createSessionNotFoundProblem(): Problem {
  return new Problem('not-found', { message: 'Session not found' })
}

// biome-ignore lint/suspicious/noExplicitAny: used by queries over different sets of tables that all hold chat_sessions
export function createOwnerFilter(runner: Runner): (where: any) => Expression<SqlBool> {
  return (where) =>
    runner.person
      ? where('chat_sessions.person_id', '=', runner.person.id)
      : where('chat_sessions.visitor_id', '=', runner.visitor.id)
}

export const defaultSessionName = 'New session'
