import { type TemplateKind, templateTypes } from '#contract/keepers/engagement-templates.ts'
import type { Person } from '#server/accounts/person.ts'
import { refuseUnlessOwn, usableBy } from '#server/domains/usable-by.ts'
import { Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import type { TemplateRow } from './template-view.ts'

type Asking = Pick<Person, 'id'>

/** Templates of the system, of the person, and of people in a shared domain. */
export function visibleTemplates({ db }: Services, person: Asking) {
  return db
    .selectFrom('engagement_templates')
    .selectAll('engagement_templates')
    .where(usableBy(db, 'engagement_templates', person.id))
    .orderBy('engagement_templates.system', 'desc')
    .orderBy('engagement_templates.created_at')
    .orderBy('engagement_templates.id')
}

export const isTemplateType = (word: string): word is TemplateRow['type'] =>
  (templateTypes as readonly string[]).includes(word)

/** @throws Problem 404 */
export async function requireTemplateFor(services: Services, person: Asking, idOrSlug: string): Promise<TemplateRow> {
  const row = await visibleTemplates(services, person)
    .where((where) =>
      where.or([where('engagement_templates.id', '=', idOrSlug), where('engagement_templates.slug', '=', idOrSlug)]),
    )
    .executeTakeFirst()
  if (!row) throw templateNotFound()
  return row
}

/** A template made by this person. @throws Problem 404; 403 for someone else's or the system's */
export async function requireOwnTemplateFor(
  services: Services,
  person: Asking,
  idOrSlug: string,
): Promise<TemplateRow> {
  const row = await requireTemplateFor(services, person, idOrSlug)
  refuseUnlessOwn(row, person, 'template')
  return row
}

export async function findTemplates(
  services: Services,
  person: Asking,
  kind: TemplateKind,
  ids: readonly string[],
): Promise<Map<string, TemplateRow>> {
  if (ids.length === 0) return new Map()
  const rows = await visibleTemplates(services, person)
    .where('engagement_templates.kind', '=', kind)
    .where('engagement_templates.id', 'in', [...new Set(ids)])
    .execute()
  return new Map(rows.map((row) => [row.id, row]))
}

export function templateNotFound(): Problem {
  return new Problem('not-found', { message: 'Engagement template not found' })
}
