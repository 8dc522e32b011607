import type { Person } from '#server/accounts/person.ts'
import { requireChanges } from '#server/db/database.ts'
import { UnexpectedChanges } from '#server/db/database-errors.ts'
import { batchSize, writeInBatches } from '#server/db/write-in-batches.ts'
import { Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { canDelete, requireAgentFor } from './agent-access.ts'
import { findViewerIds, notifyViewers } from './sharing/grants.ts'
import { reserveSlug } from './slugs.ts'

export async function removeAgent(services: Services, person: Person, idOrSlug: string): Promise<void> {
  const agent = await requireAgentFor(services, person, idOrSlug)
  if (!canDelete(agent, person)) {
    throw new Problem('forbidden', {
      message:
        agent.owner_id === null
          ? 'The agents that come with Keeper can’t be deleted.'
          : 'Only the owner of this agent and people with the right to delete it can do that.',
    })
  }
  const people = await findViewerIds(services, agent)
  await deleteHistoryInBatches(services, agent.id)
  try {
    await services.db.batch([
      reserveSlug(services, agent.slug, agent.owner_id),
      requireChanges(services.db.deleteFrom('agents').where('id', '=', agent.id)),
    ])
  } catch (error) {
    if (error instanceof UnexpectedChanges) throw new Problem('not-found', { message: 'Agent not found' })
    throw error
  }
  notifyViewers(services, [person.id, ...people])
}

/** Deletes sessions and runs in small batches, so that other writes can run in between. One batch is left to the cascade. */
async function deleteHistoryInBatches({ db }: Services, agentId: string): Promise<void> {
  for (const table of ['chat_sessions', 'runs'] as const) {
    const rows = db.selectFrom(table).select('id').where('agent_id', '=', agentId)
    const nextBatch = rows.limit(batchSize).offset(batchSize)
    await writeInBatches(db, db.deleteFrom(table).where('id', 'in', nextBatch))
  }
}
