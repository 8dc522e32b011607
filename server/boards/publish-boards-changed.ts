import { type RawBuilder, sql } from 'kysely'
import type { Services } from '#server/services.ts'
import type { BoardRow } from './board-access.ts'

type ReadableBoard = Pick<BoardRow, 'id' | 'owner_id'>

export async function listReaders({ db }: Services, board: ReadableBoard): Promise<string[]> {
  const shareRows = await db
    .selectFrom('domain_boards as share')
    .innerJoin('domains', 'domains.id', 'share.domain_id')
    .innerJoin('people as giver', 'giver.id', 'share.owner_id')
    .leftJoin('domain_members as giving', (join) =>
      join.onRef('giving.domain_id', '=', 'domains.id').onRef('giving.person_id', '=', 'share.owner_id'),
    )
    .leftJoin('domain_members as reading', 'reading.domain_id', 'domains.id')
    .select(['domains.owner_id', 'reading.person_id', selectRoleRight().as('may')])
    .select(sql<string>`share.admin_may || share.user_may || share.friend_may || share.connection_may`.as('any_may'))
    .where('share.board_id', '=', board.id)
    .where('share.owner_id', '=', board.owner_id)
    .where('giver.deactivated_at', 'is', null)
    .where((where) =>
      where.or([
        where('domains.owner_id', '=', where.ref('share.owner_id')),
        where('giving.person_id', 'is not', null),
      ]),
    )
    .execute()
  const readers = new Set([board.owner_id])
  for (const { owner_id, person_id, may, any_may } of shareRows) {
    if (/view|edit/.test(any_may)) readers.add(owner_id)
    if (person_id !== null && (may === 'view' || may === 'edit')) readers.add(person_id)
  }
  return [...readers]
}

function selectRoleRight(): RawBuilder<string | null> {
  return sql`case reading.role
    when 'admin' then share.admin_may
    when 'user' then share.user_may
    when 'friend' then share.friend_may
    when 'connection' then share.connection_may end`
}

export async function publishBoardsChanged(
  services: Services,
  board: ReadableBoard,
  formerReaders: readonly string[] = [],
): Promise<void> {
  for (const personId of new Set([...(await listReaders(services, board)), ...formerReaders]))
    services.live.publish(personId, { type: 'boards-changed', boardId: board.id })
}
