import type { LinkedBoard } from '#contract/boards/board-sharing.ts'
import type { MediaSize } from '#contract/keepers/small-version.ts'
import { Problem } from '#server/http/problem.ts'
import { countAttempts, type Throttle } from '#server/http/throttle.ts'
import type { Services } from '#server/services.ts'
import { hashToken } from '#server/values/token.ts'
import type { BoardRow } from '../board-access.ts'
import { toBoard } from '../board-view.ts'
import { listFrames } from '../frame-rows.ts'
import { removeReferences } from '../remove-references.ts'
import { deriveLinkToken } from './board-link.ts'
import { sendBoardPicture } from './send-picture.ts'

const quarterHourMs = 15 * 60 * 1000
const guessThrottle: Throttle = { kind: 'board-link-guess', limit: 200, windowMs: quarterHourMs }
/** Every tab reloads its board about 45 times in 15 minutes, and a whole office can share an address. */
const openThrottle: Throttle = { kind: 'board-link-open', limit: 10_000, windowMs: quarterHourMs }
const pictureThrottle: Throttle = { kind: 'board-link-picture', limit: 4000, windowMs: quarterHourMs }
const openedPrecisionMs = 60_000

/** @throws Problem 404 alike for revoked, replaced, trashed and unknown links; 429 */
export async function openLinkedBoard(services: Services, token: string, address: string): Promise<LinkedBoard> {
  const linkedBoard = await findLinkedBoard(services, token)
  if (!linkedBoard) await refuseTooMany(services, guessThrottle, address)
  if (!linkedBoard) throw linkNotFound()
  await refuseTooMany(services, openThrottle, `${linkedBoard.id} ${address}`)
  const rows = await listFrames(services, linkedBoard.id)
  const frames = rows.map((row) => ({
    ...row,
    entity_type: null,
    entity_id: null,
    data: removeReferences(row.data),
  }))
  const context = { ownerName: null, isShared: true, may: 'view' as const }
  const board = toBoard(linkedBoard, frames, context, { id: '' })
  await recordOpening(services, linkedBoard)
  const { domainId, entityId, may, owner, isShared, rev, ...publicBoard } = board
  return { ...publicBoard, entityType: null }
}

/** A picture on a linked board. @throws Problem 404; 429 */
export async function sendLinkedPicture(
  services: Services,
  { token, pictureId, size }: { token: string; pictureId: string; size?: MediaSize },
  address: string,
  range: string | null,
): Promise<Response> {
  await refuseTooMany(services, pictureThrottle, address)
  const board = await findLinkedBoard(services, token)
  if (!board) throw linkNotFound()
  return sendBoardPicture(services, board.id, pictureId, { size, range })
}

async function refuseTooMany(services: Services, throttle: Throttle, address: string): Promise<void> {
  const attempts = await countAttempts(services, throttle, address)
  if (!attempts.isWithinLimit) throw new Problem('too-many', { retryAfterSeconds: attempts.waitSeconds })
}

async function findLinkedBoard(services: Services, token: string): Promise<BoardRow | undefined> {
  const board = await services.db
    .selectFrom('boards')
    .innerJoin('people', 'people.id', 'boards.owner_id')
    .selectAll('boards')
    .where('boards.link_hash', '=', hashToken(token))
    .where('boards.deleted_at', 'is', null)
    .where('people.deactivated_at', 'is', null)
    .executeTakeFirst()
  const isCurrentSecret =
    board && deriveLinkToken(services, { id: board.id, createdAt: board.link_made_at ?? 0 }).token === token
  return isCurrentSecret ? board : undefined
}

function linkNotFound(): Problem {
  return new Problem('not-found', { message: 'This link no longer opens a board.' })
}

async function recordOpening({ db, now }: Services, { id, link_hash }: BoardRow): Promise<void> {
  const at = now().getTime()
  await db
    .updateTable('boards')
    .set({ link_opened_at: at })
    .where('id', '=', id)
    .where('link_hash', '=', link_hash)
    .where((where) =>
      where.or([where('link_opened_at', 'is', null), where('link_opened_at', '<', at - openedPrecisionMs)]),
    )
    .execute()
}
