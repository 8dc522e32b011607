import type { ExpressionBuilder, Selectable } from 'kysely'
import { type AgentGrant, type AgentRight, agentRights } from '#contract/agents/sharing.ts'
import type { Person } from '#server/accounts/person.ts'
import { requireChanges, type Write } from '#server/db/database.ts'
import { ForeignKeyViolation, UnexpectedChanges, UniqueViolation } from '#server/db/database-errors.ts'
import type { Schema } from '#server/db/schema.ts'
import { selectPeopleVisibleTo } from '#server/domains/people/people-of-domains.ts'
import { Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { toIsoTime } from '#server/values/iso-time.ts'
import { getAgentRights, isOwner, requireShareableAgent, type VisibleAgent } from '../agent-access.ts'
import type { AgentRow } from '../agent-view.ts'

export async function listGrants(
  services: Services,
  person: Person,
  idOrSlug: string,
): Promise<{ grants: AgentGrant[]; mine: AgentRight[] }> {
  const agent = await requireShareableAgent(services, person, idOrSlug)
  const rows = await selectGrants(services, person, agent.id).execute()
  return { grants: rows.map((row) => toGrantView(row, person)), mine: getAgentRights(agent, person) }
}

function selectGrants(services: Services, person: Person, agentId: string) {
  return services.db
    .selectFrom('agent_grants')
    .innerJoin('people', 'people.id', 'agent_grants.person_id')
    .select(['people.id', 'people.name', 'people.email', 'agent_grants.granted_at'])
    .select(['agent_grants.may_run', 'agent_grants.may_edit', 'agent_grants.may_share', 'agent_grants.may_delete'])
    .select((select) => select('people.id', 'in', selectPeopleVisibleTo(services.db, person.id)).as('shares_domain'))
    .where('agent_grants.agent_id', '=', agentId)
    .orderBy('people.name')
    .orderBy('people.id')
}

type GrantRow = Awaited<ReturnType<ReturnType<typeof selectGrants>['executeTakeFirstOrThrow']>>

/** Shows emails only to people who share a domain, like the people search. */
function toGrantView(row: GrantRow, person: Person): AgentGrant {
  return {
    person: { id: row.id, name: row.name, email: row.shares_domain ? row.email : null },
    rights: agentRights.filter((right) => row[`may_${right}`]),
    granted_at: toIsoTime(row.granted_at),
    may_change: row.id !== person.id,
  }
}

/** People can change only rights they hold, and never their own or the owner's. */
export async function setGrant(
  services: Services,
  person: Person,
  { agentId, personId }: { agentId: string; personId: string },
  rights: AgentRight[],
): Promise<AgentGrant | null> {
  const agent = await requireShareableAgent(services, person, agentId)
  if (personId === agent.owner_id) throw new Problem('forbidden', { message: 'The owner always has every right.' })
  if (personId === person.id)
    throw new Problem('forbidden', { message: 'You can’t change your own rights. Ask the owner.' })
  const existing = await services.db
    .selectFrom('agent_grants')
    .selectAll()
    .where('agent_id', '=', agent.id)
    .where('person_id', '=', personId)
    .executeTakeFirst()
  const previousRights = agentRights.filter((right) => existing?.[`may_${right}`])
  refuseRightsNotHeld(getAgentRights(agent, person), previousRights, rights)
  if (rights.length > 0 && agent.visibility !== 'shared')
    throw new Problem('conflict', {
      message: 'This agent isn’t shared. Set its visibility to shared first.',
      fields: { visibility: 'Choose shared, and update the agent.' },
    })
  if (!existing && rights.length === 0) return null

  const viewerIds = await findViewerIds(services, agent)
  try {
    await services.db.batch([
      ...buildHolderGuard(services, agent, person),
      buildGrantWrite(services, person, { agent_id: agent.id, person_id: personId }, existing, rights),
    ])
  } catch (error) {
    if (error instanceof ForeignKeyViolation) throw new Problem('not-found', { message: 'Person not found' })
    if (error instanceof UnexpectedChanges || error instanceof UniqueViolation)
      return setGrant(services, person, { agentId, personId }, rights)
    throw error
  }
  notifyViewers(services, [...viewerIds, personId])
  if (rights.length === 0) return null
  const row = await selectGrants(services, person, agent.id).where('people.id', '=', personId).executeTakeFirst()
  return row ? toGrantView(row, person) : null
}

function buildGrantWrite(
  { db, now }: Services,
  person: Person,
  key: { agent_id: string; person_id: string },
  existing: Selectable<Schema['agent_grants']> | undefined,
  rights: AgentRight[],
): Write {
  const columns = {
    may_run: rights.includes('run'),
    may_edit: rights.includes('edit'),
    may_share: rights.includes('share'),
    may_delete: rights.includes('delete'),
    granted_by: person.id,
    granted_at: now().getTime(),
  }
  if (!existing) return db.insertInto('agent_grants').values({ ...key, ...columns })
  const isUnchanged = createRightsCondition(existing)
  return requireChanges(
    rights.length === 0
      ? db.deleteFrom('agent_grants').where(isUnchanged)
      : db.updateTable('agent_grants').set(columns).where(isUnchanged),
  )
}

/** Changes nothing, but fails the batch if the sharing person lost rights concurrently. */
function buildHolderGuard({ db }: Services, agent: VisibleAgent, person: Person): Write[] {
  if (isOwner(agent, person)) return []
  const ownGrant = { agent_id: agent.id, person_id: person.id, ...pickGrantColumns(agent) }
  return [
    requireChanges(db.updateTable('agent_grants').set({ person_id: person.id }).where(createRightsCondition(ownGrant))),
  ]
}

const pickGrantColumns = ({ may_run, may_edit, may_share, may_delete }: VisibleAgent) => ({
  may_run: may_run ?? false,
  may_edit: may_edit ?? false,
  may_share: may_share ?? false,
  may_delete: may_delete ?? false,
})

function createRightsCondition(row: Omit<Selectable<Schema['agent_grants']>, 'granted_by' | 'granted_at'>) {
  const { agent_id, person_id, may_run, may_edit, may_share, may_delete } = row
  return (where: ExpressionBuilder<Schema, 'agent_grants'>) =>
    where.and({ agent_id, person_id, may_run, may_edit, may_share, may_delete })
}

function refuseRightsNotHeld(
  heldRights: AgentRight[],
  previousRights: AgentRight[],
  requestedRights: AgentRight[],
): void {
  const changedRights = agentRights.filter(
    (right) => previousRights.includes(right) !== requestedRights.includes(right),
  )
  const missingRights = changedRights.filter((right) => !heldRights.includes(right))
  if (missingRights.length === 0) return
  const message = `You can grant or revoke only rights you have yourself. You don’t have: ${missingRights.join(', ')}.`
  throw new Problem('forbidden', { message, fields: { rights: message } })
}

/** The owner and everyone with a grant, whose pages reload the agent. Must be read before a deletion. */
export async function findViewerIds(services: Services, agent: AgentRow): Promise<string[]> {
  const grants = await services.db
    .selectFrom('agent_grants')
    .select('person_id')
    .where('agent_id', '=', agent.id)
    .execute()
  const personIds = grants.map((grant) => grant.person_id)
  return agent.owner_id ? [agent.owner_id, ...personIds] : personIds
}

export function notifyViewers(services: Services, viewerIds: string[]): void {
  for (const personId of new Set(viewerIds)) services.live.publish(personId, { type: 'agents-changed' })
}
