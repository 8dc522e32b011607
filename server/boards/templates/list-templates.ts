import { type RawBuilder, sql } from 'kysely'
import type { BoardTemplate } from '#contract/boards/boards.ts'
import type { Person } from '#server/accounts/person.ts'
import type { Engine } from '#server/db/database.ts'
import { type Order, placeIn, readPage } from '#server/http/pages.ts'
import { Reply } from '#server/http/serve-area.ts'
import type { Services } from '#server/services.ts'
import type { Template } from './require-template.ts'
import { systemTemplates } from './system-templates.ts'

const newestFirst: Order = [
  [sql.ref('created_at'), 'desc'],
  [sql.ref('id'), 'asc'],
]

/** System templates, then one's own, newest first. @throws Problem 400 for an invalid cursor */
export async function listTemplates(
  { db }: Services,
  person: Pick<Person, 'id'>,
  cursor?: string,
): Promise<Reply<BoardTemplate[]>> {
  const all = db
    .selectFrom('board_templates')
    .select(['id', 'name', 'description', 'created_at', typesOfFrames(db.engine).as('types')])
    .where('owner_id', '=', person.id)
  const { rows, next_cursor } = await readPage(all, {
    order: newestFirst,
    after: placeIn(cursor, [0, '']),
    placeOf: ({ created_at, id }) => [created_at, id],
    read: (query) => db.longRead(query),
  })
  const own = rows.map(({ id, name, description, types }): BoardTemplate => {
    const frameTypes: string[] = typeof types === 'string' ? JSON.parse(types) : types
    return { id, name, description, system: false, frameCount: frameTypes.length, frameTypes }
  })
  const shipped = cursor === undefined ? systemTemplates.map((each) => templateView(each, true)) : []
  return new Reply([...shipped, ...own], { extra: { next_cursor } })
}

/** Frame types in order, selected by SQL because whole frames can be many megabytes. */
function typesOfFrames(engine: Engine): RawBuilder<string | string[]> {
  if (engine === 'postgres') return sql`jsonb_path_query_array(frames, '$[*].data.frameType')`
  return sql`(select json_group_array(json_extract(frame.value, '$.data.frameType')) from json_each(frames) as frame)`
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
