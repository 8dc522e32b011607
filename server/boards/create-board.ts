import type * as z from 'zod/mini'
import { type Board, type BoardConfig, type boards, defaultBoardTheme } from '#contract/boards/boards.ts'
import type { BoardEntity } from '#contract/boards/frame-types.ts'
import type { Person } from '#server/accounts/person.ts'
import { ForeignKeyViolation, UniqueViolation } from '#server/db/database-errors.ts'
import { createDomainNotFoundProblem, requireDomainAccess } from '#server/domains/domain-access.ts'
import { createIdTakenProblem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { publishBoardsChanged } from './board-access.ts'
import { getBoardView, showBoard, toPlainFrame } from './board-view.ts'
import { createPlainBoardFrames } from './entity/new-frames.ts'
import { demoDomainId, findPrimaryDomainId } from './list-boards.ts'
import { requireBoardTemplate } from './templates/board-templates.ts'
import { buildNewBoardWrites, type NewBoard } from './write-board.ts'

export const untitledBoardName = 'Untitled Board'

export const defaultBoardConfig: BoardConfig = {
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
  input: z.output<typeof boards.create.body & {}>,
): Promise<Board> {
  const existing = input.id ? await findOwnBoard(services, person, { id: input.id }) : undefined
  if (existing) return existing
  const domain_id = await requireBoardDomain(services, person, input.domainId)
  const template = input.templateId ? await requireBoardTemplate(services, person, input.templateId) : undefined
  const config = { ...defaultBoardConfig, ...template?.config, ...(template && { name: template.name }) }
  return insertBoard(services, person, {
    id: input.id ?? services.newId(),
    owner_id: person.id,
    domain_id,
    type: input.type ?? 'custom_board',
    config: {
      ...config,
      name: (input.name ?? config.name) || untitledBoardName,
      description: input.description ?? config.description,
      engagementMode: input.engagementMode ?? config.engagementMode,
    },
    frames: template
      ? template.frames.map((frame) => ({ ...toPlainFrame(frame), id: services.newId() }))
      : createPlainBoardFrames(services),
  })
}

/** @throws Problem 409 if the id is taken */
export async function insertBoard(services: Services, person: Pick<Person, 'id'>, board: NewBoard): Promise<Board> {
  try {
    await services.db.batch(buildNewBoardWrites(services, board))
  } catch (error) {
    if (error instanceof ForeignKeyViolation) throw createDomainNotFoundProblem()
    if (!(error instanceof UniqueViolation) || board.entity) throw error
    const existing = await findOwnBoard(services, person, { id: board.id })
    if (existing) return existing
    throw createIdTakenProblem(error)
  }
  services.usage.add(board.owner_id, JSON.stringify(board.frames).length, board.frames.length)
  await publishBoardsChanged(services, board)
  return showBoard(services, person, board.id)
}

export async function findOwnBoard(
  services: Services,
  person: Pick<Person, 'id'>,
  filter: { id: string } | { entity_type: BoardEntity; entity_id: string },
): Promise<Board | undefined> {
  const board = await services.db
    .selectFrom('boards')
    .selectAll()
    .where(({ and }) => and({ ...filter, owner_id: person.id }))
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return board && getBoardView(services, person, { board, may: 'owner' })
}

export async function requireBoardDomain(
  services: Services,
  person: Person,
  domainId: string = demoDomainId,
): Promise<string | null> {
  if (domainId === demoDomainId) return (await findPrimaryDomainId(services.db, person)) ?? null
  const { domain, role } = await requireDomainAccess(services, person, domainId, 'see')
  if (role === null) throw createDomainNotFoundProblem()
  return domain.id
}
