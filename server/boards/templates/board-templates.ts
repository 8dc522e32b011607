import { type RawBuilder, sql } from 'kysely'
import type * as z from 'zod/mini'
import type { BoardTemplate, boards } from '#contract/boards/boards.ts'
import { lockPerson } from '#server/accounts/one-time-link.ts'
import type { Person } from '#server/accounts/person.ts'
import { type Engine, json, requireChanges } from '#server/db/database.ts'
import { UnexpectedChanges } from '#server/db/database-errors.ts'
import { type PageOrder, parseCursor, readPage } from '#server/http/pages.ts'
import { Problem } from '#server/http/problem.ts'
import { Reply } from '#server/http/serve-area.ts'
import type { Services } from '#server/services.ts'
import { requireBoardRight } from '../board-access.ts'
import { listFrames, toConfig, toFrame } from '../board-view.ts'
import { removeReferences } from '../references.ts'
import { type BoardTemplateRow, systemBoardTemplates } from './system-templates.ts'

export const maxBoardTemplates = 200
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
    after: parseCursor(cursor, ['number', 'string']),
    getPosition: ({ created_at, id }) => [created_at, id],
    read: (query) => db.longRead(query),
  })
  const ownTemplates = rows.map(({ id, name, description, types }): BoardTemplate => {
    const frameTypes: string[] = typeof types === 'string' ? JSON.parse(types) : types
    return { id, name, description, system: false, frameCount: frameTypes.length, frameTypes }
  })
  const systemTemplates =
    cursor === undefined ? systemBoardTemplates.map((template) => toBoardTemplate(template, { system: true })) : []
  return new Reply([...systemTemplates, ...ownTemplates], { extra: { next_cursor } })
}

/** Frame types in order, selected by SQL because whole frames can be many megabytes. */
function selectFrameTypes(engine: Engine): RawBuilder<string | string[]> {
  if (engine === 'postgres') return sql`jsonb_path_query_array(frames, '$[*].data.frameType')`
  return sql`(select json_group_array(json_extract(frame.value, '$.data.frameType')) from json_each(frames) as frame)`
}

function toBoardTemplate(
  { id, name, description, frames }: BoardTemplateRow,
  { system }: Pick<BoardTemplate, 'system'>,
): BoardTemplate {
  return {
    id,
    name,
    description,
    system,
    frameCount: frames.length,
    frameTypes: frames.map(({ data }) => data.frameType),
  }
}

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
  if (!ownTemplate) throw createTemplateNotFoundProblem()
  return ownTemplate
}

/** Saves layout and texts, without pictures, chats and references. @throws Problem 404; 422 above the limit */
export async function saveBoardTemplate(
  services: Services,
  person: Person,
  { boardId, name, description }: z.output<typeof boards.saveTemplate.body & {}>,
): Promise<BoardTemplate> {
  const { db } = services
  const { board } = await requireBoardRight(services, person, boardId, 'view')
  const rows = await listFrames(services, board.id)
  const frames = rows.map((row) =>
    toFrame({ ...row, entity_type: null, entity_id: null, data: removeReferences(row.data, { pictures: true }) }),
  )
  const template = {
    id: services.newId(),
    name,
    description: description ?? board.description,
    config: { ...toConfig(board), name, description: description ?? board.description },
    frames,
  }
  const insert = db.insertInto('board_templates').values({
    ...template,
    owner_id: person.id,
    config: json(template.config),
    frames: json(template.frames),
    created_at: services.now().getTime(),
  })
  const templateCount = sql<number>`(select count(*) from board_templates where owner_id = ${person.id})`
  // Rolls the batch back above the limit; locking the person stops concurrent saves from sharing the last slot.
  const enforceLimit = requireChanges(
    db
      .updateTable('board_templates')
      .set({ name })
      .where('id', '=', template.id)
      .where(templateCount, '<=', maxBoardTemplates),
  )
  try {
    await db.batch([insert, ...lockPerson(services, person.id), enforceLimit])
  } catch (error) {
    if (!(error instanceof UnexpectedChanges)) throw error
    const message = `You’ve reached the limit of ${maxBoardTemplates} templates. Delete one to save this board as a template.`
    throw new Problem('unprocessable', { message, fields: { name: message } })
  }
  services.usage.add(person.id, JSON.stringify(frames).length)
  return toBoardTemplate(template, { system: false })
}

/** @throws Problem 404 for someone else's template, 403 for a system template */
export async function removeBoardTemplate({ db }: Services, person: Pick<Person, 'id'>, id: string): Promise<null> {
  if (systemBoardTemplates.some((template) => template.id === id))
    throw new Problem('forbidden', { message: 'Templates that come with Keeper can’t be deleted.' })
  const { numDeletedRows } = await db
    .deleteFrom('board_templates')
    .where('id', '=', id)
    .where('owner_id', '=', person.id)
    .executeTakeFirst()
  if (numDeletedRows === 0n) throw createTemplateNotFoundProblem()
  return null
}

function createTemplateNotFoundProblem(): Problem {
  return new Problem('not-found', { message: 'Template not found' })
}
