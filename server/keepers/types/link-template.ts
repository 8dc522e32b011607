import { sql } from 'kysely'
import type { EngagementTemplate } from '#contract/keepers/engagement-templates.ts'
import type { Person } from '#server/accounts/person.ts'
import { createEntryNotFound, requireOwnEntry } from '#server/catalog/catalog.ts'
import { ForeignKeyViolation } from '#server/db/database-errors.ts'
import type { Services } from '#server/services.ts'
import { selectTemplatesOfType, templateKind } from '../templates/template-catalog.ts'
import { keeperTypeKind, requireKeeperTypeFor } from './type-catalog.ts'

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
  try {
    await db
      .insertInto('keeper_type_templates')
      .values((values) => ({
        keeper_type_id: type.id,
        template_id: template.id,
        position: values(values.fn.coalesce(lastPosition, values.lit(-1)), '+', values.lit(1)),
      }))
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  } catch (error) {
    if (error instanceof ForeignKeyViolation) throw createEntryNotFound(templateKind)
    throw error
  }
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
