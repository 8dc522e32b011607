import { sql } from 'kysely'
import type { Agent } from '#contract/agents/agents.ts'
import type { EngagementTemplate } from '#contract/keepers/engagement-templates.ts'
import type { KeeperType } from '#contract/keepers/keeper-types.ts'
import type { Person } from '#server/accounts/person.ts'
import {
  requireAgentFor,
  requireEditableAgent,
  selectOpenAgents,
  selectSharedAgents,
} from '#server/agents/agent-access.ts'
import { toAgentView } from '#server/agents/agent-view.ts'
import { sortNewestFirst } from '#server/agents/list-agents.ts'
import { createEntryNotFound, requireOwnEntry } from '#server/catalog/catalog.ts'
import { ForeignKeyViolation, replaceError } from '#server/db/database-errors.ts'
import { Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { selectTemplatesOfType, templateKind } from '../templates/template-catalog.ts'
import { keeperTypeKind, queryVisibleKeeperTypes, requireKeeperTypeFor } from './type-catalog.ts'

interface TypeTemplateLink {
  id: string
  templateId: string
}

export async function listTemplatesOfType(
  services: Services,
  person: Person,
  id: string,
): Promise<EngagementTemplate[]> {
  const type = await requireKeeperTypeFor(services, person, id)
  const rows = await selectTemplatesOfType(services, type.id).execute()
  return templateKind.toViews(services, rows, person)
}

export async function linkTemplate(
  services: Services,
  person: Person,
  { id, templateId }: TypeTemplateLink,
): Promise<void> {
  const { db } = services
  const type = await requireOwnEntry(services, person, keeperTypeKind, id)
  const template = await db
    .selectFrom('engagement_templates')
    .select('id')
    .where('id', '=', templateId)
    .where((where) => where.or([where('system', '=', true), where('owner_id', '=', person.id)]))
    .executeTakeFirst()
  if (!template) throw createEntryNotFound(templateKind)
  const lastPosition = db
    .selectFrom('keeper_type_templates')
    .select((select) => select.fn.max('position').as('position'))
    .where('keeper_type_id', '=', type.id)
  await db
    .insertInto('keeper_type_templates')
    .values((values) => ({
      keeper_type_id: type.id,
      template_id: template.id,
      position: values(values.fn.coalesce(lastPosition, values.lit(-1)), '+', values.lit(1)),
    }))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
    .catch(replaceError(ForeignKeyViolation, () => createEntryNotFound(templateKind)))
}

export async function unlinkTemplate(
  services: Services,
  person: Person,
  { id, templateId }: TypeTemplateLink,
): Promise<void> {
  const type = await requireOwnEntry(services, person, keeperTypeKind, id)
  await services.db
    .deleteFrom('keeper_type_templates')
    .where('keeper_type_id', '=', type.id)
    .where('template_id', '=', templateId)
    .execute()
}

/** Listed templates first, the others after them in their order; unlinked ids are ignored. */
export async function orderTemplates(
  services: Services,
  person: Person,
  id: string,
  templateIds: readonly string[],
): Promise<EngagementTemplate[]> {
  const type = await requireOwnEntry(services, person, keeperTypeKind, id)
  const orderedIds = [...new Set(templateIds)]
  if (orderedIds.length > 0) {
    const cases = sql.join(
      orderedIds.map((templateId, index) => sql`when template_id = ${templateId} then ${sql.lit(index)}`),
      sql` `,
    )
    await services.db
      .updateTable('keeper_type_templates')
      .set({ position: sql<number>`case ${cases} else position + ${sql.lit(orderedIds.length)} end` })
      .where('keeper_type_id', '=', type.id)
      .execute()
  }
  return listTemplatesOfType(services, person, type.id)
}

const maxAssigned = 1000

interface Assignment {
  agentId: string
  keeperTypeId: string
}

export async function listKeeperTypesOfAgent(
  services: Services,
  person: Person,
  idOrSlug: string,
): Promise<KeeperType[]> {
  const agent = await requireAgentFor(services, person, idOrSlug)
  const rows = await queryVisibleKeeperTypes(services, person)
    .where(
      'keeper_types.id',
      'in',
      services.db.selectFrom('agent_keeper_types').select('keeper_type_id').where('agent_id', '=', agent.id),
    )
    .execute()
  return keeperTypeKind.toViews(services, rows, person)
}

export async function listAgentsOfKeeperType(services: Services, person: Person, id: string): Promise<Agent[]> {
  const type = await requireKeeperTypeFor(services, person, id)
  const { db } = services
  const assignedAgentIds = db.selectFrom('agent_keeper_types').select('agent_id').where('keeper_type_id', '=', type.id)
  const [publicAgents, sharedWithPerson] = await Promise.all(
    [selectOpenAgents(db, person.id), selectSharedAgents(db, person.id)].map((agents) =>
      agents
        .where('agents.id', 'in', assignedAgentIds)
        .orderBy('agents.created_at', 'desc')
        .orderBy('agents.id')
        .limit(maxAssigned)
        .execute(),
    ),
  )
  return sortNewestFirst(sharedWithPerson ?? [], publicAgents ?? []).map((agent) => toAgentView(agent, person))
}

export async function assignKeeperType(services: Services, person: Person, input: Assignment): Promise<void> {
  const agent = await requireEditableAgent(services, person, input.agentId)
  const type = await requireKeeperTypeFor(services, person, input.keeperTypeId)
  const createDeletedProblem = () => new Problem('not-found', { message: 'The agent or keeper type has been deleted.' })
  const assigned = { assigned_at: services.now().getTime(), assigned_by: person.id }
  await services.db
    .insertInto('agent_keeper_types')
    .values({ agent_id: agent.id, keeper_type_id: type.id, ...assigned })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
    .catch(replaceError(ForeignKeyViolation, createDeletedProblem))
}

export async function unassignKeeperType(services: Services, person: Person, input: Assignment): Promise<void> {
  const agent = await requireEditableAgent(services, person, input.agentId)
  const type = await requireKeeperTypeFor(services, person, input.keeperTypeId)
  await services.db
    .deleteFrom('agent_keeper_types')
    .where('agent_id', '=', agent.id)
    .where('keeper_type_id', '=', type.id)
    .execute()
}
