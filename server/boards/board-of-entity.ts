import type { Board } from '#contract/boards/boards.ts'
import type { BoardEntity } from '#contract/boards/frame-types.ts'
import type { Person } from '#server/accounts/person.ts'
import { UniqueViolation } from '#server/db/database-errors.ts'
import type { Services } from '#server/services.ts'
import { boardView } from './board-view.ts'
import { defaultConfig, domainFor, makeBoard } from './create-board.ts'
import { requireEntity } from './entities.ts'
import { entityFrames } from './entity-frames.ts'

/** Concurrent requests get the same board. @throws Problem 404 for an invisible entity */
export async function boardOfEntity(
  services: Services,
  person: Person,
  { entityType, entityId }: { entityType: BoardEntity; entityId: string },
): Promise<Board> {
  const entity = await requireEntity(services, person, entityType, entityId)
  const there = await findBoardOf(services, person, entityType, entity.id)
  if (there) return there
  try {
    return await makeBoard(services, person, {
      id: services.newId(),
      owner_id: person.id,
      domain_id: await domainFor(services, person, entityType === 'domain' ? entity.id : undefined),
      type: entityType,
      config: {
        ...defaultConfig,
        name: entity.name.slice(0, 120).trim(),
        description: '',
        layout: entityType === 'domain' ? 'grid' : 'canvas',
        engagementMode: 'canvas',
      },
      entity: { type: entityType, id: entity.id },
      frames: entityFrames(services, entityType, entity.id),
    })
  } catch (error) {
    if (!(error instanceof UniqueViolation)) throw error
    const made = await findBoardOf(services, person, entityType, entity.id)
    if (made) return made
    throw error
  }
}

async function findBoardOf(
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
  return board && boardView(services, person, { board, may: 'owner' })
}
