import type * as z from 'zod/mini'
import { type Board, type BoardConfig, type boards, defaultBoardTheme } from '#contract/boards/boards.ts'
import type { Person } from '#server/accounts/person.ts'
import { ForeignKeyViolation, UniqueViolation } from '#server/db/database-errors.ts'
import { domainNotFound, requireDomainTo } from '#server/domains/domain-access.ts'
import { idTaken } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { requireBoardTo } from './board-access.ts'
import { boardView } from './board-view.ts'
import { demoDomain, primaryDomainOf } from './list-boards.ts'
import { starterFrames } from './new-frame.ts'
import { tellBoardsChanged } from './tell-boards.ts'
import { requireTemplateFor } from './templates/require-template.ts'
import { framesFromTemplate } from './templates/template-frames.ts'
import { type NewBoard, newBoardWrites } from './write-board.ts'

export const untitled = 'Untitled Board'

export const defaultConfig: BoardConfig = {
  name: 'New Board',
  description: 'A new custom board',
  layout: 'canvas',
  engagementMode: 'dialogic',
  allowLayoutEditing: true,
  animation: 'none',
  theme: defaultBoardTheme,
}

/** Idempotent for a given id. @throws Problem 404 for someone else's domain or template, 409 for a taken id */
export async function createBoard(
  services: Services,
  person: Person,
  given: z.output<typeof boards.create.body & {}>,
): Promise<Board> {
  const there = given.id ? await ownBoard(services, person, given.id) : undefined
  if (there) return there
  const domain_id = await domainFor(services, person, given.domainId)
  const template = given.templateId ? await requireTemplateFor(services, person, given.templateId) : undefined
  const config = { ...defaultConfig, ...template?.config, ...(template && { name: template.name }) }
  return makeBoard(services, person, {
    id: given.id ?? services.newId(),
    owner_id: person.id,
    domain_id,
    type: given.type ?? 'custom_board',
    config: {
      ...config,
      name: (given.name ?? config.name) || untitled,
      description: given.description ?? config.description,
      engagementMode: given.engagementMode ?? config.engagementMode,
    },
    frames: template ? framesFromTemplate(services, template.frames) : starterFrames(services),
  })
}

/** @throws Problem 409 if the id is taken */
export async function makeBoard(services: Services, person: Pick<Person, 'id'>, board: NewBoard): Promise<Board> {
  try {
    await services.db.batch(newBoardWrites(services, board))
  } catch (error) {
    if (error instanceof ForeignKeyViolation) throw domainNotFound()
    if (!(error instanceof UniqueViolation) || board.entity) throw error
    const there = await ownBoard(services, person, board.id)
    if (there) return there
    throw idTaken(error)
  }
  // A copy or template stores more than the request contained.
  services.usage.add(board.owner_id, JSON.stringify(board.frames).length, board.frames.length)
  await tellBoardsChanged(services, board)
  return boardView(services, person, await requireBoardTo(services, person, board.id, 'owner'))
}

export async function ownBoard(services: Services, person: Pick<Person, 'id'>, id: string): Promise<Board | undefined> {
  const board = await services.db
    .selectFrom('boards')
    .selectAll()
    .where('id', '=', id)
    .where('owner_id', '=', person.id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return board && boardView(services, person, { board, may: 'owner' })
}

/** The domain that lists the board: one of the person's, or their primary one. */
export async function domainFor(
  services: Services,
  person: Person,
  domainId: string = demoDomain,
): Promise<string | null> {
  if (domainId === demoDomain) return (await primaryDomainOf(services.db, person)) ?? null
  const { domain, role } = await requireDomainTo(services, person, domainId, 'see')
  if (role === null) throw domainNotFound()
  return domain.id
}
