import type { Selectable } from 'kysely'
import type { Person } from '#server/accounts/person.ts'
import type { Schema } from '#server/db/schema.ts'
import { Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { systemBoardTemplates } from './system-templates.ts'

export type BoardTemplateRow = Pick<
  Selectable<Schema['board_templates']>,
  'id' | 'name' | 'description' | 'config' | 'frames'
>

/** A system template or one's own. @throws Problem 404 alike for other people's and unknown templates */
export async function requireBoardTemplate(
  { db }: Services,
  person: Pick<Person, 'id'>,
  id: string,
): Promise<BoardTemplateRow> {
  const systemTemplate = systemBoardTemplates.find((template) => template.id === id)
  if (systemTemplate) return systemTemplate
  const ownTemplate = await db
    .selectFrom('board_templates')
    .select(['id', 'name', 'description', 'config', 'frames'])
    .where('id', '=', id)
    .where('owner_id', '=', person.id)
    .executeTakeFirst()
  if (!ownTemplate) throw boardTemplateNotFound()
  return ownTemplate
}

export function boardTemplateNotFound(): Problem {
  return new Problem('not-found', { message: 'Template not found' })
}
