import type { Person } from '#server/accounts/person.ts'
import { requireChanges } from '#server/db/database.ts'
import { UnexpectedChanges } from '#server/db/database-errors.ts'
import { rowsAtOnce, writeInBatches } from '#server/db/write-in-batches.ts'
import { Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { mayDelete, requireAgentFor } from './agent-access.ts'
import { tellThem, whoSees } from './sharing/tell-who-sees.ts'
import { holdSlug } from './slugs.ts'

export async function removeAgent(services: Services, person: Person, idOrSlug: string): Promise<void> {
  const agent = await requireAgentFor(services, person, idOrSlug)
  if (!mayDelete(agent, person)) {
    throw new Problem('forbidden', {
      message:
        agent.owner_id === null
          ? "The agents that come with Keeper can't be deleted."
          : 'Only its owner and people given the right can delete this agent.',
    })
  }
  const people = await whoSees(services, agent)
  await deleteAllButFew(services, agent.id)
  try {
    await services.db.batch([
      holdSlug(services, agent.slug, agent.owner_id),
      requireChanges(services.db.deleteFrom('agents').where('id', '=', agent.id)),
    ])
  } catch (error) {
    if (error instanceof UnexpectedChanges) throw new Problem('not-found', { message: 'Agent not found' })
    throw error
  }
  tellThem(services, [person.id, ...people])
}

const mayGoWithIt = rowsAtOnce

/** Deletes sessions and runs in small batches, so that other writes can run in between. */
async function deleteAllButFew({ db }: Services, agentId: string): Promise<void> {
  for (const table of ['chat_sessions', 'runs'] as const) {
    const some = db.selectFrom(table).select('id').where('agent_id', '=', agentId).limit(rowsAtOnce).offset(mayGoWithIt)
    await writeInBatches(db, db.deleteFrom(table).where('id', 'in', some))
  }
}
