import type { Board } from '#contract/boards/boards.ts'
import type { BoardEntity } from '#contract/boards/frame-types.ts'
import type { Person } from '#server/accounts/person.ts'
import { UniqueViolation } from '#server/db/database-errors.ts'
import type { Services } from '#server/services.ts'
import { getBoardView } from '../board-view.ts'
import { defaultBoardConfig, insertBoard, requireBoardDomain } from '../create-board.ts'
import { requireEntity } from './entities.ts'
import { createEntityFrames } from './entity-frames.ts'

/** Concurrent requests get the same board. @throws Problem 404 for an invisible entity */
export async function getOrCreateEntityBoard(
  services: Services,
  person: Person,
  { entityType, entityId }: { entityType: BoardEntity; entityId: string },
): Promise<Board> {
  const entity = await requireEntity(services, person, entityType, entityId)
  const existing = await findEntityBoard(services, person, entityType, entity.id)
  if (existing) return existing
  try {
    return await insertBoard(services, person, {
      id: services.newId(),
      owner_id: person.id,
      domain_id: await requireBoardDomain(services, person, entityType === 'domain' ? entity.id : undefined),
      type: entityType,
      config: {
        ...defaultBoardConfig,
        name: entity.name.slice(0, 120).trim(),
        description: '',
        layout: entityType === 'domain' ? 'grid' : 'canvas',
        engagementMode: 'canvas',
      },
      entity: { type: entityType, id: entity.id },
      frames: createEntityFrames(services, entityType, entity.id),
    })
  } catch (error) {
    if (!(error instanceof UniqueViolation)) throw error
    const createdBoard = await findEntityBoard(services, person, entityType, entity.id)
    if (createdBoard) return createdBoard
    throw error
  }
}

async function findEntityBoard(
  services: Services,
  person: Pick<Person, 'id'>,
  entityType: BoardEntity,
  entityId: string,
): Promise<Board | undefined> {
  const board = await services.db
    .selectFrom('boards')
    .selectAll()
    .where('owner_id', '=', person.id)
    .where('entity_type', '=', entityType)
    .where('entity_id', '=', entityId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return board && getBoardView(services, person, { board, may: 'owner' })
}
