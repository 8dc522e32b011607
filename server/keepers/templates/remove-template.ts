import { type ExpressionBuilder, sql } from 'kysely'
import type { Person } from '#server/accounts/person.ts'
import type { Schema } from '#server/db/schema.ts'
import { Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { requireOwnTemplate } from './visible-templates.ts'

type TemplateExpression = ExpressionBuilder<Schema, 'engagement_templates'>

/** Deletes an unused template; entries written with it stay. @throws Problem 404, 403; 409 that names the use */
export async function removeTemplate(services: Services, person: Person, idOrSlug: string): Promise<void> {
  const { db } = services
  const { id } = await requireOwnTemplate(services, person, idOrSlug)
  // The quotes match the whole id only; quotes inside a text are escaped.
  const idPattern = `%"${id}"%`
  const uses = [
    {
      usedBy: 'a process',
      createCondition: (where: TemplateExpression) =>
        where.exists(
          db
            .selectFrom('engagement_templates as process')
            .select('process.id')
            .where('process.kind', '=', 'process')
            .where(sql<string>`cast(process.steps as text)`, 'like', idPattern),
        ),
    },
    {
      usedBy: 'a keeper type',
      createCondition: (where: TemplateExpression) =>
        where.exists(db.selectFrom('keeper_type_templates').select('template_id').where('template_id', '=', id)),
    },
    {
      usedBy: 'a keeper',
      createCondition: (where: TemplateExpression) =>
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
      usedBy: 'an unfinished run',
      createCondition: (where: TemplateExpression) =>
        where.exists(
          db
            // Runs of deleted keepers count, as their answers would be lost with the template.
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
    .where((where) => where.not(where.or(uses.map(({ createCondition }) => createCondition(where)))))
    .executeTakeFirst()
  if (numDeletedRows > 0n) return
  for (const { usedBy, createCondition } of uses) {
    const usedRow = await db
      .selectFrom('engagement_templates')
      .select('id')
      .where('id', '=', id)
      .where((where) => createCondition(where))
      .executeTakeFirst()
    if (usedRow) throw new Problem('conflict', { message: `This template is used by ${usedBy}. ${remedies[usedBy]}` })
  }
  throw new Problem('conflict', { message: 'This template was in use a moment ago. Try again.' })
}

const remedies: Record<string, string> = {
  'a process': 'Remove it from the steps of that process first.',
  'a keeper type': 'Unlink it from the keeper type first.',
  'a keeper': 'Unlink it from the keeper first.',
  'an unfinished run': 'Finish or discard that run first. Runs in deleted keepers count too.',
}
