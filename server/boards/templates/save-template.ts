import { sql } from 'kysely'
import type * as z from 'zod/mini'
import type { BoardTemplate, boards } from '#contract/boards/boards.ts'
import { lockPerson } from '#server/accounts/one-time-link.ts'
import type { Person } from '#server/accounts/person.ts'
import { json, requireChanges } from '#server/db/database.ts'
import { UnexpectedChanges } from '#server/db/database-errors.ts'
import { Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { requireBoardRight } from '../board-access.ts'
import { toConfig } from '../board-view.ts'
import { listFrames, toFrame } from '../frame-rows.ts'
import { removeReferences } from '../remove-references.ts'
import { toBoardTemplate } from './list-templates.ts'

export const maxBoardTemplates = 200

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
  const count = sql<number>`(select count(*) from board_templates where owner_id = ${person.id})`
  // Rolls the batch back above the limit; locking the person stops concurrent saves from sharing the last slot.
  const enforceLimit = requireChanges(
    db.updateTable('board_templates').set({ name }).where('id', '=', template.id).where(count, '<=', maxBoardTemplates),
  )
  try {
    await db.batch([insert, ...lockPerson(services, person.id), enforceLimit])
  } catch (error) {
    if (!(error instanceof UnexpectedChanges)) throw error
    const message = `You’ve reached the limit of ${maxBoardTemplates} templates. Delete one to save this board as a template.`
    throw new Problem('unprocessable', { message, fields: { name: message } })
  }
  services.usage.add(person.id, JSON.stringify(frames).length)
  return toBoardTemplate(template, false)
}
