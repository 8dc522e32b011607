import { type RawBuilder, sql } from 'kysely'
import type { BoardTemplate } from '#contract/boards/boards.ts'
import type { Person } from '#server/accounts/person.ts'
import type { Engine } from '#server/db/database.ts'
import { type PageOrder, parseCursor, readPage } from '#server/http/pages.ts'
import { Reply } from '#server/http/serve-area.ts'
import type { Services } from '#server/services.ts'
import type { BoardTemplateRow } from './require-template.ts'
import { systemBoardTemplates } from './system-templates.ts'

const newestTemplateFirst: PageOrder = [
  [sql.ref('created_at'), 'desc'],
  [sql.ref('id'), 'asc'],
]

/** System templates, then one's own, newest first. @throws Problem 400 for an invalid cursor */
export async function listBoardTemplates(
  { db }: Services,
  person: Pick<Person, 'id'>,
  cursor?: string,
): Promise<Reply<BoardTemplate[]>> {
  const ownTemplatesQuery = db
    .selectFrom('board_templates')
    .select(['id', 'name', 'description', 'created_at', selectFrameTypes(db.engine).as('types')])
    .where('owner_id', '=', person.id)
  const { rows, next_cursor } = await readPage(ownTemplatesQuery, {
    order: newestTemplateFirst,
    after: parseCursor(cursor, [0, '']),
    getPosition: ({ created_at, id }) => [created_at, id],
    read: (query) => db.longRead(query),
  })
  const ownTemplates = rows.map(({ id, name, description, types }): BoardTemplate => {
    const frameTypes: string[] = typeof types === 'string' ? JSON.parse(types) : types
    return { id, name, description, system: false, frameCount: frameTypes.length, frameTypes }
  })
  const systemTemplates =
    cursor === undefined ? systemBoardTemplates.map((template) => toBoardTemplate(template, true)) : []
  return new Reply([...systemTemplates, ...ownTemplates], { extra: { next_cursor } })
}

/** Frame types in order, selected by SQL because whole frames can be many megabytes. */
function selectFrameTypes(engine: Engine): RawBuilder<string | string[]> {
  if (engine === 'postgres') return sql`jsonb_path_query_array(frames, '$[*].data.frameType')`
  return sql`(select json_group_array(json_extract(frame.value, '$.data.frameType')) from json_each(frames) as frame)`
}

export function toBoardTemplate({ id, name, description, frames }: BoardTemplateRow, system: boolean): BoardTemplate {
  return {
    id,
    name,
    description,
    system,
    frameCount: frames.length,
    frameTypes: frames.map(({ data }) => data.frameType),
  }
}
