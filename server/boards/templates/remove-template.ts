import type { Person } from '#server/accounts/person.ts'
import { Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { boardTemplateNotFound } from './require-template.ts'
import { systemBoardTemplates } from './system-templates.ts'

/** @throws Problem 404 for someone else's template, 403 for a system template */
export async function removeBoardTemplate({ db }: Services, person: Pick<Person, 'id'>, id: string): Promise<null> {
  if (systemBoardTemplates.some((template) => template.id === id))
    throw new Problem('forbidden', { message: 'Templates that come with Keeper can’t be deleted.' })
  const { numDeletedRows } = await db
    .deleteFrom('board_templates')
    .where('id', '=', id)
    .where('owner_id', '=', person.id)
    .executeTakeFirst()
  if (numDeletedRows === 0n) throw boardTemplateNotFound()
  return null
}
