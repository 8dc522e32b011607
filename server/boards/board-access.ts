import { type Selectable, sql } from 'kysely'
import { type BoardRight, boardRights } from '#contract/boards/boards.ts'
import type { Person } from '#server/accounts/person.ts'
import type { Schema } from '#server/db/schema.ts'
import { Problem } from '#server/http/problem.ts'
import type { PlainLiveEvent } from '#server/live/process-bus.ts'
import type { Services } from '#server/services.ts'

export type BoardRow = Selectable<Schema['boards']>
type BoardReader = Pick<Person, 'id'>

export interface AccessibleBoard {
  board: BoardRow
  may: BoardRight
}

/** The right that the row `share` grants to the role in the row `reader_membership`. */
const roleRight = sql<string | null>`case reader_membership.role
  when 'admin' then share.admin_may
  when 'user' then share.user_may
  when 'friend' then share.friend_may
  when 'connection' then share.connection_may end`

/** Ranks of the rights that {@link selectGrantedRight} selects; 0 is none. */
export const rightRanks = { view: 1, edit: 2 }

/** Rank of the best right that the `share` rows grant by current role. A domain's owner gets the best of any role. */
const selectBestRight = (reader: BoardReader) => sql<number | null>`max(
  case
    when domains.owner_id = ${reader.id} then case
      when 'edit' in (share.admin_may, share.user_may, share.friend_may, share.connection_may) then 2
      when 'view' in (share.admin_may, share.user_may, share.friend_may, share.connection_may) then 1
      else 0 end
    else case ${roleRight} when 'edit' then 2 when 'view' then 1 else 0 end
  end)`

const joinSharesFor = (reader: BoardReader) => sql`domain_boards as share
  join domains on domains.id = share.domain_id
  join people as sharer on sharer.id = share.owner_id and sharer.deactivated_at is null
  left join domain_members as sharer_membership on sharer_membership.domain_id = domains.id and sharer_membership.person_id = share.owner_id
  left join domain_members as reader_membership on reader_membership.domain_id = domains.id and reader_membership.person_id = ${reader.id}`
const whereSharerIsMember = sql`(domains.owner_id = share.owner_id or sharer_membership.person_id is not null)`

export const selectGrantedRight = (reader: BoardReader) => sql<number | null>`(
  select ${selectBestRight(reader)}
  from ${joinSharesFor(reader)}
  where share.board_id = boards.id and share.owner_id = boards.owner_id and ${whereSharerIsMember}
)`

/** Ids of boards shared in this person's domains, or one of them, regardless of their role's rights. */
export const selectSharedBoardIds = (reader: BoardReader, domainId?: string) => {
  const domainCondition = domainId === undefined ? sql`` : sql`and share.domain_id = ${domainId}`
  return sql<string>`(
    select share.board_id as id from domain_boards as share
    join domain_members on domain_members.domain_id = share.domain_id
    where domain_members.person_id = ${reader.id} ${domainCondition}
    union
    select share.board_id as id from domain_boards as share
    join domains on domains.id = share.domain_id
    where domains.owner_id = ${reader.id} ${domainCondition}
  )`
}

export function toBoardRight(
  board: Pick<BoardRow, 'owner_id'>,
  grantedRight: number | null,
  reader: BoardReader,
): BoardRight | undefined {
  if (board.owner_id === reader.id) return 'owner'
  if (grantedRight === rightRanks.edit) return 'edit'
  return grantedRight === rightRanks.view ? 'view' : undefined
}

/** Every action on a board goes through here. @throws Problem 404 alike for unknown and invisible boards; 403 */
export async function requireBoardRight(
  { db }: Services,
  person: BoardReader,
  id: string,
  right: BoardRight,
): Promise<AccessibleBoard> {
  const row = await db
    .selectFrom('boards')
    .selectAll()
    .select(selectGrantedRight(person).as('granted_right'))
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (!row) throw createBoardNotFoundProblem()
  const { granted_right: grantedRight, ...board } = row
  const may = toBoardRight(board, grantedRight, person)
  if (!may) throw createBoardNotFoundProblem()
  if (boardRights.indexOf(may) < boardRights.indexOf(right))
    throw new Problem('forbidden', { message: refusalTexts[right] })
  return { board, may }
}

export function createBoardNotFoundProblem(): Problem {
  return new Problem('not-found', { message: 'Board not found' })
}

const refusalTexts: Record<BoardRight, string> = {
  view: 'You can’t view this board.',
  edit: 'You can view this board, but not change it. Ask its owner for edit access.',
  owner: 'Only the owner of this board can do that.',
}

type ReadableBoard = Pick<BoardRow, 'id' | 'owner_id'>

export async function listReaderIds({ db }: Services, board: ReadableBoard): Promise<string[]> {
  const shareRows = await db
    .selectFrom('domain_boards as share')
    .innerJoin('domains', 'domains.id', 'share.domain_id')
    .innerJoin('people as sharer', 'sharer.id', 'share.owner_id')
    .leftJoin('domain_members as sharer_membership', (join) =>
      join
        .onRef('sharer_membership.domain_id', '=', 'domains.id')
        .onRef('sharer_membership.person_id', '=', 'share.owner_id'),
    )
    .leftJoin('domain_members as reader_membership', 'reader_membership.domain_id', 'domains.id')
    .select(['domains.owner_id', 'reader_membership.person_id', roleRight.as('may')])
    .select(sql<string>`share.admin_may || share.user_may || share.friend_may || share.connection_may`.as('any_may'))
    .where('share.board_id', '=', board.id)
    .where('share.owner_id', '=', board.owner_id)
    .where('sharer.deactivated_at', 'is', null)
    .where((where) =>
      where.or([
        where('domains.owner_id', '=', where.ref('share.owner_id')),
        where('sharer_membership.person_id', 'is not', null),
      ]),
    )
    .execute()
  const readerIds = new Set([board.owner_id])
  for (const { owner_id, person_id, may, any_may } of shareRows) {
    if (/view|edit/.test(any_may)) readerIds.add(owner_id)
    if (person_id !== null && (may === 'view' || may === 'edit')) readerIds.add(person_id)
  }
  return [...readerIds]
}

export function publishToReaders({ live }: Services, readerIds: Iterable<string>, event: PlainLiveEvent): void {
  for (const personId of readerIds) live.publish(personId, event)
}

export async function publishBoardsChanged(
  services: Services,
  board: ReadableBoard,
  formerReaderIds: readonly string[] = [],
): Promise<void> {
  const readerIds = new Set([...(await listReaderIds(services, board)), ...formerReaderIds])
  publishToReaders(services, readerIds, { type: 'boards-changed', boardId: board.id })
}
