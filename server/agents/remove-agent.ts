import type { Person } from '#server/accounts/person.ts'
import { requireChanges } from '#server/db/database.ts'
import { UnexpectedChanges } from '#server/db/database-errors.ts'
import { rowsAtOnce, writeInBatches } from '#server/db/write-in-batches.ts'
import { Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { mayDelete, requireAgentFor } from './agent-access.ts'
import { tellThem, whoSees } from './sharing/tell-who-sees.ts'
import { holdSlug } from './slugs.ts'

/**
 * Deletes an agent with what it said; its slug is held for its owner.
 * @throws Problem 404 for one that this person does not see, 403 for one they may not delete
 */
export async function removeAgent(services: Services, person: Person, idOrSlug: string): Promise<void> {
  const agent = await requireAgentFor(services, person, idOrSlug)
  if (!mayDelete(agent, person)) {
    throw new Problem('forbidden', {
      message:
        agent.owner_id === null
          ? 'The agents that come with Keeper cannot be deleted.'
          : 'Only its owner, and who was given the right to, can delete this agent.',
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

/** Rows of a table that go with the agent itself. */
const mayGoWithIt = rowsAtOnce

/** What an agent said in ten years, a few rows at a time; the last of them go with the agent. */
async function deleteAllButFew({ db }: Services, agentId: string): Promise<void> {
  for (const table of ['chat_sessions', 'runs'] as const) {
    const some = db.selectFrom(table).select('id').where('agent_id', '=', agentId).limit(rowsAtOnce).offset(mayGoWithIt)
    await writeInBatches(db, db.deleteFrom(table).where('id', 'in', some))
  }
}
