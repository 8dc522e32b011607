import type { BoardTemplate } from '#contract/boards/boards.ts'
import type { Person } from '#server/accounts/person.ts'
import type { Services } from '#server/services.ts'
import type { Template } from './require-template.ts'
import { systemTemplates } from './system-templates.ts'

const mostAtOnce = 1000

/** Those shipped with Keeper, then one’s own, the newest first. */
export async function listTemplates({ db }: Services, person: Pick<Person, 'id'>): Promise<BoardTemplate[]> {
  const own = await db
    .selectFrom('board_templates')
    .select(['id', 'name', 'description', 'config', 'frames'])
    .where('owner_id', '=', person.id)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(mostAtOnce)
    .execute()
  return [...systemTemplates.map((each) => templateView(each, true)), ...own.map((each) => templateView(each, false))]
}

export function templateView({ id, name, description, frames }: Template, system: boolean): BoardTemplate {
  return {
    id,
    name,
    description,
    system,
    frameCount: frames.length,
    frameTypes: frames.map(({ data }) => data.frameType),
  }
}
