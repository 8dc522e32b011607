import { sql } from 'kysely'
import type { EngagementTemplate } from '#contract/keepers/engagement-templates.ts'
import type { Person } from '#server/accounts/person.ts'
import { readPageSystemFirst } from '#server/http/pages.ts'
import { Reply } from '#server/http/serve-area.ts'
import type { Services } from '#server/services.ts'
import { type TemplateRow, toTemplateViews } from './template-view.ts'
import { queryVisibleTemplates } from './visible-templates.ts'

const templateBytes = sql<number>`octet_length(description) + octet_length(cast(fields as text))
  + octet_length(cast(steps as text))`

interface TemplateFilter {
  type?: TemplateRow['type']
  cursor?: string | undefined
}

/** @throws Problem 400 for an invalid cursor */
export async function listTemplates(
  services: Services,
  person: Person,
  { type, cursor }: TemplateFilter,
): Promise<Reply<EngagementTemplate[]>> {
  let query = queryVisibleTemplates(services, person)
  if (type !== undefined) query = query.where('type', '=', type)
  const { rows, next_cursor } = await readPageSystemFirst(query, cursor, templateBytes)
  return new Reply(await toTemplateViews(services, rows, person), { extra: { next_cursor } })
}
