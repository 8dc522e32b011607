import type { Selectable } from 'kysely'
import type { EngagementTemplate } from '#contract/keepers/engagement-templates.ts'
import type { Person } from '#server/accounts/person.ts'
import type { Schema } from '#server/db/schema.ts'
import type { Services } from '#server/services.ts'

export type TemplateRow = Selectable<Schema['engagement_templates']>

export async function toTemplateViews(
  { db }: Services,
  rows: readonly TemplateRow[],
  person: Pick<Person, 'id'>,
): Promise<EngagementTemplate[]> {
  if (rows.length === 0) return []
  const [processes, runs] = await Promise.all([
    db
      .selectFrom('engagement_templates')
      .select('steps')
      .where('kind', '=', 'process')
      .where((where) => where.or([where('system', '=', true), where('owner_id', '=', person.id)]))
      .execute(),
    db
      .selectFrom('template_runs')
      .innerJoin('keepers', 'keepers.id', 'template_runs.keeper_id')
      .select(['template_runs.template_id', (select) => select.fn.count<number>('keepers.id').distinct().as('count')])
      .where('template_runs.owner_id', '=', person.id)
      .where('template_runs.deleted_at', 'is', null)
      .where('keepers.deleted_at', 'is', null)
      .where(
        'template_runs.template_id',
        'in',
        rows.map(({ id }) => id),
      )
      .groupBy('template_runs.template_id')
      .execute(),
  ])
  const countUses = (row: TemplateRow) =>
    row.kind === 'content-type'
      ? processes.filter(({ steps }) => steps.some(({ contentTypeId }) => contentTypeId === row.id)).length
      : (runs.find(({ template_id }) => template_id === row.id)?.count ?? 0)
  return rows.map((row) => ({
    id: row.id,
    label: row.label,
    slug: row.slug,
    type: row.type,
    kind: row.kind,
    description: row.description,
    category: row.category,
    system: row.system,
    mine: row.owner_id === person.id,
    fields: row.fields,
    steps: row.steps,
    target: row.target,
    templateCount: countUses(row),
    createdAt: new Date(row.created_at).toISOString(),
    updatedAt: new Date(row.updated_at).toISOString(),
    rev: row.rev,
  }))
}

export async function toTemplateView(
  services: Services,
  row: TemplateRow,
  person: Pick<Person, 'id'>,
): Promise<EngagementTemplate> {
  const [view] = await toTemplateViews(services, [row], person)
  if (!view) throw new Error('A template has no view')
  return view
}
