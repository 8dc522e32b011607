import type { EngagementTemplate } from '#contract/keepers/engagement-templates.ts'
import type { Person } from '#server/accounts/person.ts'
import { ForeignKeyViolation } from '#server/db/database-errors.ts'
import type { Services } from '#server/services.ts'
import { toTemplateViews } from '../templates/template-view.ts'
import { createTemplateNotFound } from '../templates/visible-templates.ts'
import { requireKeeperTypeFor, requireOwnKeeperType } from './visible-keeper-types.ts'

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
  const rows = await services.db
    .selectFrom('engagement_templates')
    .innerJoin('keeper_type_templates', 'keeper_type_templates.template_id', 'engagement_templates.id')
    .selectAll('engagement_templates')
    .where('keeper_type_templates.keeper_type_id', '=', type.id)
    .orderBy('keeper_type_templates.position')
    .orderBy('engagement_templates.id')
    .execute()
  return toTemplateViews(services, rows, person)
}

export async function linkTemplate(
  services: Services,
  person: Person,
  { id, templateId }: TypeTemplateLink,
): Promise<void> {
  const { db } = services
  const type = await requireOwnKeeperType(services, person, id)
  const template = await db
    .selectFrom('engagement_templates')
    .select('id')
    .where('id', '=', templateId)
    .where((where) => where.or([where('system', '=', true), where('owner_id', '=', person.id)]))
    .executeTakeFirst()
  if (!template) throw createTemplateNotFound()
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
    if (error instanceof ForeignKeyViolation) throw createTemplateNotFound()
    throw error
  }
}

export async function unlinkTemplate(
  services: Services,
  person: Person,
  { id, templateId }: TypeTemplateLink,
): Promise<void> {
  const type = await requireOwnKeeperType(services, person, id)
  await services.db
    .deleteFrom('keeper_type_templates')
    .where('keeper_type_id', '=', type.id)
    .where('template_id', '=', templateId)
    .execute()
}
