import { sql } from 'kysely'
import type { EngagementTemplate } from '#contract/keepers/engagement-templates.ts'
import type { Person } from '#server/accounts/person.ts'
import type { Services } from '#server/services.ts'
import { templatesOfType } from './link-template.ts'
import { requireOwnKeeperTypeFor } from './visible-keeper-types.ts'

/** Listed templates first, the others after them in their order; unlinked ids are ignored. */
export async function orderTemplates(
  services: Services,
  person: Person,
  id: string,
  templateIds: readonly string[],
): Promise<EngagementTemplate[]> {
  const type = await requireOwnKeeperTypeFor(services, person, id)
  const named = [...new Set(templateIds)]
  if (named.length > 0) {
    const places = sql.join(
      named.map((templateId, at) => sql`when template_id = ${templateId} then ${sql.lit(at)}`),
      sql` `,
    )
    await services.db
      .updateTable('keeper_type_templates')
      .set({ position: sql<number>`case ${places} else position + ${sql.lit(named.length)} end` })
      .where('keeper_type_id', '=', type.id)
      .execute()
  }
  return templatesOfType(services, person, type.id)
}
