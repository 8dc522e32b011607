import { sql } from 'kysely'
import { lockingPerson } from '#server/accounts/one-time-link.ts'
import { requireChanges, type Write } from '#server/db/database.ts'
import { UnexpectedChanges } from '#server/db/database-errors.ts'
import { Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import type { AgentRow } from './agent-row.ts'

/** Everybody's list carries the public agents of everybody, so one person fills it only so far. */
export const mostPublicAgents = 200

/** @param before the saved agent: what is public already stays so */
const isOpened = (agent: AgentRow, before?: AgentRow): agent is AgentRow & { owner_id: string } =>
  agent.visibility === 'public' && agent.owner_id !== null && before?.visibility !== 'public'

const publicOnesOf = (personId: string) =>
  sql<number>`(select count(*) from agents where owner_id = ${personId} and visibility = 'public')`

/** Says before anything is written that there is no room. @throws Problem 422 */
export async function limitPublicAgents({ db }: Services, agent: AgentRow, before?: AgentRow): Promise<void> {
  if (!isOpened(agent, before)) return
  const { count } = await db.selectNoFrom(publicOnesOf(agent.owner_id).as('count')).executeTakeFirstOrThrow()
  if (Number(count) >= mostPublicAgents) throw noRoom()
}

function noRoom(): Problem {
  const message = `One person may have ${mostPublicAgents} public agents, and you have them. Make one of those private or shared, or delete it; then this one can be public.`
  return new Problem('unprocessable', { message, fields: { visibility: message } })
}

/**
 * Saves an agent by these writes, or none of them where others became public meanwhile. Where one of those is private
 * again by now, it tries once more: nobody changed the agent itself. @throws Problem 422
 */
export async function batchWithinPublicLimit(
  services: Services,
  writes: readonly Write[],
  agent: AgentRow,
  before?: AgentRow,
): Promise<void> {
  if (!isOpened(agent, before)) {
    await services.db.batch(writes)
    return
  }
  const batch = [...writes, ...withinPublicLimit(services, agent)]
  const isFull = (error: unknown) => error instanceof UnexpectedChanges && error.index === batch.length - 1
  try {
    await services.db.batch(batch)
  } catch (error) {
    if (!isFull(error)) throw error
    await limitPublicAgents(services, agent, before)
    await services.db.batch(batch).catch((again: unknown) => {
      throw isFull(again) ? noRoom() : again
    })
  }
}

/** Its owner is held, so that two that are saved at once do not both find the last room. */
function withinPublicLimit(services: Services, agent: AgentRow & { owner_id: string }): Write[] {
  return [
    ...lockingPerson(services, agent.owner_id),
    requireChanges(
      services.db
        .updateTable('agents')
        .set({ visibility: agent.visibility })
        .where('id', '=', agent.id)
        .where(publicOnesOf(agent.owner_id), '<=', mostPublicAgents),
    ),
  ]
}
