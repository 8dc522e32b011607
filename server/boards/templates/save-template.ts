import type * as z from 'zod/mini'
import type { BoardTemplate, boards } from '#contract/boards/boards.ts'
import type { Person } from '#server/accounts/person.ts'
import { json } from '#server/db/database.ts'
import type { Services } from '#server/services.ts'
import { requireBoardTo } from '../board-access.ts'
import { configOf } from '../board-view.ts'
import { framesOf, frameView } from '../frame-rows.ts'
import { withoutReferences } from '../own-content.ts'
import { templateView } from './list-templates.ts'

/**
 * Keeps a board as a template: its arrangement and its words, without pictures, chats, runs and chosen entities.
 * @throws Problem 404 for a board that is not theirs to see
 */
export async function saveTemplate(
  services: Services,
  person: Person,
  { boardId, name, description }: z.output<typeof boards.saveTemplate.body & {}>,
): Promise<BoardTemplate> {
  const { board } = await requireBoardTo(services, person, boardId, 'view')
  const rows = await framesOf(services, board.id)
  const frames = rows.map((row) =>
    frameView({ ...row, entity_type: null, entity_id: null, data: withoutReferences(row.data, { pictures: true }) }),
  )
  const template = {
    id: services.newId(),
    name,
    description: description ?? board.description,
    config: { ...configOf(board), name, description: description ?? board.description },
    frames,
  }
  await services.db
    .insertInto('board_templates')
    .values({
      ...template,
      owner_id: person.id,
      config: json(template.config),
      frames: json(template.frames),
      created_at: services.now().getTime(),
    })
    .execute()
  return templateView(template, false)
}
