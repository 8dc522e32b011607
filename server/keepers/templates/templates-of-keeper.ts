import type { EngagementTemplate } from '#contract/keepers/engagement-templates.ts'
import type { Person } from '#server/accounts/person.ts'
import { createEntryNotFound } from '#server/catalog/catalog.ts'
import { ForeignKeyViolation } from '#server/db/database-errors.ts'
import type { Services } from '#server/services.ts'
import { publishKeeperChanged } from '../entries/publish-keeper-changed.ts'
import { requireKeeperFor } from '../keeper-access.ts'
import { requireTemplateFor, selectTemplatesOfType, type TemplateRow, templateKind } from './template-catalog.ts'

interface TemplateLink {
  id: string
  templateId: string
}

export async function listTemplatesOfKeeper(
  services: Services,
  person: Person,
  id: string,
): Promise<(EngagementTemplate & { ofType: boolean })[]> {
  const { db } = services
  const keeper = await requireKeeperFor(services, person, id)
  const [typeTemplates, linkedTemplates] = await Promise.all([
    keeper.keeper_type_id === null ? [] : selectTemplatesOfType(services, keeper.keeper_type_id).execute(),
    db
      .selectFrom('engagement_templates')
      .innerJoin('keeper_templates', 'keeper_templates.template_id', 'engagement_templates.id')
      .selectAll('engagement_templates')
      .where('keeper_templates.keeper_id', '=', keeper.id)
      .orderBy('keeper_templates.linked_at')
      .orderBy('engagement_templates.id')
      .execute(),
  ])
  const typeTemplateIds = new Set(typeTemplates.map((row) => row.id))
  const rows: TemplateRow[] = [...typeTemplates, ...linkedTemplates.filter((row) => !typeTemplateIds.has(row.id))]
  const views = await templateKind.toViews(services, rows, person)
  return views.map((view) => ({ ...view, ofType: typeTemplateIds.has(view.id) }))
}

/** Idempotent. @throws Problem 404 */
export async function linkToKeeper(
  services: Services,
  person: Person,
  { id, templateId }: TemplateLink,
): Promise<void> {
  const keeper = await requireKeeperFor(services, person, id)
  const template = await requireTemplateFor(services, person, templateId)
  try {
    await services.db
      .insertInto('keeper_templates')
      .values({ keeper_id: keeper.id, template_id: template.id, linked_at: services.now().getTime() })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  } catch (error) {
    if (error instanceof ForeignKeyViolation) throw createEntryNotFound(templateKind)
    throw error
  }
  publishKeeperChanged(services, keeper.owner_id, keeper.id, 'keeper')
}

export async function unlinkFromKeeper(
  services: Services,
  person: Person,
  { id, templateId }: TemplateLink,
): Promise<void> {
  const keeper = await requireKeeperFor(services, person, id)
  await services.db
    .deleteFrom('keeper_templates')
    .where('keeper_id', '=', keeper.id)
    .where('template_id', '=', templateId)
    .execute()
  publishKeeperChanged(services, keeper.owner_id, keeper.id, 'keeper')
}
