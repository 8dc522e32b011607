import { type ExpressionBuilder, sql } from 'kysely'
import type { Person } from '#server/accounts/person.ts'
import type { Schema } from '#server/db/schema.ts'
import { Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { requireOwnTemplateFor } from './visible-templates.ts'

type Where = ExpressionBuilder<Schema, 'engagement_templates'>

/**
 * Deletes a template of one's own that nothing uses. What was written with it stays: it became ordinary entries.
 * @throws Problem 404, 403; 409 that says what uses it
 */
export async function removeTemplate(services: Services, person: Person, idOrSlug: string): Promise<void> {
  const { db } = services
  const { id } = await requireOwnTemplateFor(services, person, idOrSlug)
  // The quotes make it the whole id; within a text of a step they would stand escaped.
  const mention = `%"${id}"%`
  const uses = [
    {
      who: 'a process',
      of: (where: Where) =>
        where.exists(
          db
            .selectFrom('engagement_templates as process')
            .select('process.id')
            .where('process.kind', '=', 'process')
            .where(sql<string>`cast(process.steps as text)`, 'like', mention),
        ),
    },
    {
      who: 'a keeper type',
      of: (where: Where) =>
        where.exists(db.selectFrom('keeper_type_templates').select('template_id').where('template_id', '=', id)),
    },
    {
      who: 'a keeper',
      of: (where: Where) =>
        where.exists(
          db
            .selectFrom('keeper_templates')
            .innerJoin('keepers', 'keepers.id', 'keeper_templates.keeper_id')
            .select('keepers.id')
            .where('keeper_templates.template_id', '=', id)
            .where('keepers.deleted_at', 'is', null),
        ),
    },
    {
      who: 'something begun and not finished',
      of: (where: Where) =>
        where.exists(
          db
            // Also in a keeper that lies in the bin: its answers would go with the template and not come back with it.
            .selectFrom('template_runs')
            .select('template_runs.id')
            .where('template_runs.template_id', '=', id)
            .where('template_runs.finished_at', 'is', null)
            .where('template_runs.deleted_at', 'is', null),
        ),
    },
  ]
  const { numDeletedRows } = await db
    .deleteFrom('engagement_templates')
    .where('id', '=', id)
    .where((where) => where.not(where.or(uses.map(({ of }) => of(where)))))
    .executeTakeFirst()
  if (numDeletedRows > 0n) return
  for (const { who, of } of uses) {
    const used = await db
      .selectFrom('engagement_templates')
      .select('id')
      .where('id', '=', id)
      .where((where) => of(where))
      .executeTakeFirst()
    if (used) throw new Problem('conflict', { message: `This template is used by ${who}. ${remedies[who]}` })
  }
  // It was let go between the two looks, or deleted in another tab.
  throw new Problem('conflict', { message: 'This template was used a moment ago. Try again.' })
}

const remedies: Record<string, string> = {
  'a process': 'Take it out of the steps of that process first.',
  'a keeper type': 'Unlink it from the keeper type first.',
  'a keeper': 'Unlink it from the keeper first.',
  'something begun and not finished':
    'Finish it, or discard it first; what lies in the bin with its keeper counts too.',
}
