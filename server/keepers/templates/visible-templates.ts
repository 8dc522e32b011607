import { type TemplateKind, templateTypes } from '#contract/keepers/engagement-templates.ts'
import type { Person } from '#server/accounts/person.ts'
import { requireOwnEntity, whereUsableBy } from '#server/domains/visibility.ts'
import { Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import type { TemplateRow } from './template-view.ts'

type Viewer = Pick<Person, 'id'>

/** Templates of the system, of the person, and of people in a shared domain. */
export function queryVisibleTemplates({ db }: Services, person: Viewer) {
  return db
    .selectFrom('engagement_templates')
    .selectAll('engagement_templates')
    .where(whereUsableBy(db, 'engagement_templates', person.id))
    .orderBy('engagement_templates.system', 'desc')
    .orderBy('engagement_templates.created_at')
    .orderBy('engagement_templates.id')
}

export const isTemplateType = (value: string): value is TemplateRow['type'] =>
  (templateTypes as readonly string[]).includes(value)

/** @throws Problem 404 */
export async function requireTemplateFor(services: Services, person: Viewer, idOrSlug: string): Promise<TemplateRow> {
  const row = await queryVisibleTemplates(services, person)
    .where((where) =>
      where.or([where('engagement_templates.id', '=', idOrSlug), where('engagement_templates.slug', '=', idOrSlug)]),
    )
    .executeTakeFirst()
  if (!row) throw createTemplateNotFound()
  return row
}

/** A template made by this person. @throws Problem 404; 403 for someone else's or the system's */
export async function requireOwnTemplate(services: Services, person: Viewer, idOrSlug: string): Promise<TemplateRow> {
  const row = await requireTemplateFor(services, person, idOrSlug)
  requireOwnEntity(row, person, 'template')
  return row
}

export async function findTemplates(
  services: Services,
  person: Viewer,
  kind: TemplateKind,
  ids: readonly string[],
): Promise<Map<string, TemplateRow>> {
  if (ids.length === 0) return new Map()
  const rows = await queryVisibleTemplates(services, person)
    .where('engagement_templates.kind', '=', kind)
    .where('engagement_templates.id', 'in', [...new Set(ids)])
    .execute()
  return new Map(rows.map((row) => [row.id, row]))
}

export function createTemplateNotFound(): Problem {
  return new Problem('not-found', { message: 'Engagement template not found' })
}
