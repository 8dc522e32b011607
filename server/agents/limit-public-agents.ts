import { sql } from 'kysely'
import { lockPerson } from '#server/accounts/one-time-link.ts'
import { requireChanges, type Write } from '#server/db/database.ts'
import { UnexpectedChanges } from '#server/db/database-errors.ts'
import { Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import type { AgentRow } from './agent-view.ts'

export const maxPublicAgents = 200

/** @param previous the saved agent; one that is already public stays public */
const isBecomingPublic = (agent: AgentRow, previous?: AgentRow): agent is AgentRow & { owner_id: string } =>
  agent.visibility === 'public' && agent.owner_id !== null && previous?.visibility !== 'public'

const countPublicAgents = (personId: string) =>
  sql<number>`(select count(*) from agents where owner_id = ${personId} and visibility = 'public')`

export async function limitPublicAgents({ db }: Services, agent: AgentRow, previous?: AgentRow): Promise<void> {
  if (!isBecomingPublic(agent, previous)) return
  const { count } = await db.selectNoFrom(countPublicAgents(agent.owner_id).as('count')).executeTakeFirstOrThrow()
  if (Number(count) >= maxPublicAgents) throw createLimitProblem()
}

function createLimitProblem(): Problem {
  const message = `You already have ${maxPublicAgents} public agents, the most one person can have. Make one private or shared, or delete one, then try again.`
  return new Problem('unprocessable', { message, fields: { visibility: message } })
}

/** Retries once, in case another agent has become private by then. @throws Problem 422 */
export async function batchWithinPublicLimit(
  services: Services,
  writes: readonly Write[],
  agent: AgentRow,
  previous?: AgentRow,
): Promise<void> {
  if (!isBecomingPublic(agent, previous)) {
    await services.db.batch(writes)
    return
  }
  const batch = [...writes, ...buildPublicLimitWrites(services, agent)]
  const isOverLimit = (error: unknown) => error instanceof UnexpectedChanges && error.index === batch.length - 1
  try {
    await services.db.batch(batch)
  } catch (error) {
    if (!isOverLimit(error)) throw error
    await limitPublicAgents(services, agent, previous)
    await services.db.batch(batch).catch((retryError: unknown) => {
      throw isOverLimit(retryError) ? createLimitProblem() : retryError
    })
  }
}

/** Locks the owner, so that two concurrent saves can't both take the last slot. */
function buildPublicLimitWrites(services: Services, agent: AgentRow & { owner_id: string }): Write[] {
  return [
    ...lockPerson(services, agent.owner_id),
    requireChanges(
      services.db
        .updateTable('agents')
        .set({ visibility: agent.visibility })
        .where('id', '=', agent.id)
        .where(countPublicAgents(agent.owner_id), '<=', maxPublicAgents),
    ),
  ]
}
