import { sql } from 'kysely'
import type { EngagementTemplate } from '#contract/keepers/engagement-templates.ts'
import type { Person } from '#server/accounts/person.ts'
import type { Services } from '#server/services.ts'
import { listTemplatesOfType } from './link-template.ts'
import { requireOwnKeeperType } from './visible-keeper-types.ts'

/** Listed templates first, the others after them in their order; unlinked ids are ignored. */
export async function orderTemplates(
  services: Services,
  person: Person,
  id: string,
  templateIds: readonly string[],
): Promise<EngagementTemplate[]> {
  const type = await requireOwnKeeperType(services, person, id)
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
