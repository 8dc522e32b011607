import type { BoardLink, LinkedBoard } from '#contract/boards/board-sharing.ts'
import type { MediaSize } from '#contract/keepers/small-version.ts'
import type { Person } from '#server/accounts/person.ts'
import { insertAudit } from '#server/audit/write-audit.ts'
import { requireChanges, type Write } from '#server/db/database.ts'
import { UnexpectedChanges } from '#server/db/database-errors.ts'
import { Problem } from '#server/http/problem.ts'
import { requireAttempt, type Throttle } from '#server/http/throttle.ts'
import type { Services } from '#server/services.ts'
import { getPublicUrl } from '#server/settings/public-url.ts'
import { toIsoTimeOrNull } from '#server/values/iso-time.ts'
import { hashToken } from '#server/values/token.ts'
import { type BoardRow, publishBoardsChanged, requireBoardRight } from '../board-access.ts'
import { listFrames, toBoard } from '../board-view.ts'
import { removeReferences } from '../references.ts'
import { sendBoardPicture } from './board-pictures.ts'

/** Creates a view link that replaces the previous one. @throws Problem 404; 403 for people other than the owner */
export async function createBoardLink(services: Services, person: Pick<Person, 'id'>, id: string): Promise<BoardLink> {
  const { board } = await requireBoardRight(services, person, id, 'owner')
  // Must differ from the previous time even within a millisecond, or the token would be the same.
  const createdAt = Math.max(services.now().getTime(), (board.link_made_at ?? 0) + 1)
  const link = {
    link_hash: deriveLinkToken(services, { id, createdAt }).hash,
    link_made_at: createdAt,
    link_opened_at: null,
  }
  const update = services.db
    .updateTable('boards')
    .set(link)
    .where('id', '=', id)
    .where('owner_id', '=', person.id)
    .where('deleted_at', 'is', null)
    .where('link_made_at', 'is not distinct from', board.link_made_at)
  await changeLink(services, person, id, 'board-link-made', update)
  // When two requests race, one wins and both callers get its link.
  const createdLink = getBoardLink(services, (await requireBoardRight(services, person, id, 'owner')).board)
  if (!createdLink) throw new Problem('conflict', { message: 'The link was just revoked. Create a new one.' })
  await publishBoardsChanged(services, board)
  return createdLink
}

/** Revokes the link; the next request with it fails. @throws Problem 404; 403 for people other than the owner */
export async function removeBoardLink(services: Services, person: Pick<Person, 'id'>, id: string): Promise<null> {
  const { board } = await requireBoardRight(services, person, id, 'owner')
  // The creation time stays, so that no later link gets the same token.
  const update = services.db
    .updateTable('boards')
    .set({ link_hash: null, link_opened_at: null })
    .where('id', '=', id)
    .where('owner_id', '=', person.id)
    .where('link_hash', 'is not', null)
  await changeLink(services, person, id, 'board-link-removed', update)
  await publishBoardsChanged(services, board)
  return null
}

/** Does nothing if another request changed the link first. */
async function changeLink(
  services: Services,
  actor: Pick<Person, 'id'>,
  boardId: string,
  action: 'board-link-made' | 'board-link-removed',
  update: Write,
): Promise<void> {
  try {
    await services.db.batch([requireChanges(update), insertAudit(services, { action, actor, details: { boardId } })])
  } catch (error) {
    if (!(error instanceof UnexpectedChanges)) throw error
  }
}

const quarterHourMs = 15 * 60 * 1000
const guessThrottle: Throttle = { kind: 'board-link-guess', limit: 200, windowMs: quarterHourMs }
/** Every tab reloads its board about 45 times in 15 minutes, and a whole office can share an address. */
const openThrottle: Throttle = { kind: 'board-link-open', limit: 10_000, windowMs: quarterHourMs }
const pictureThrottle: Throttle = { kind: 'board-link-picture', limit: 4000, windowMs: quarterHourMs }
const openedPrecisionMs = 60_000
const anonymousViewer = { id: '' }

/** @throws Problem 404 alike for revoked, replaced, trashed and unknown links; 429 */
export async function openLinkedBoard(services: Services, token: string, address: string): Promise<LinkedBoard> {
  const linkedBoard = await findLinkedBoard(services, token)
  if (!linkedBoard) {
    await requireAttempt(services, guessThrottle, address)
    throw createLinkNotFoundProblem()
  }
  await requireAttempt(services, openThrottle, `${linkedBoard.id} ${address}`)
  const rows = await listFrames(services, linkedBoard.id)
  const frames = rows.map((row) => ({
    ...row,
    entity_type: null,
    entity_id: null,
    data: removeReferences(row.data),
  }))
  const context = { ownerName: null, isShared: true, may: 'view' as const }
  const board = toBoard(linkedBoard, frames, context, anonymousViewer)
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
  await requireAttempt(services, pictureThrottle, address)
  const board = await findLinkedBoard(services, token)
  if (!board) throw createLinkNotFoundProblem()
  return sendBoardPicture(services, board.id, pictureId, { size, range })
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

function createLinkNotFoundProblem(): Problem {
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

/** Token and stored hash of a board link, derived from its creation time, so that the link can be shown again. */
function deriveLinkToken(
  { sealer }: Pick<Services, 'sealer'>,
  { id, createdAt }: { id: string; createdAt: number },
): { token: string; hash: string } {
  const token = `kpb_${sealer.derive('board link', `board|${id}|${createdAt}`)}`
  return { token, hash: hashToken(token) }
}

/** The board's link, which never expires; null if there is none or it was created with an earlier server secret. */
export function getBoardLink(
  services: Services,
  { id, link_hash, link_made_at, link_opened_at }: BoardRow,
): BoardLink | null {
  if (link_hash === null || link_made_at === null) return null
  const { token, hash } = deriveLinkToken(services, { id, createdAt: link_made_at })
  if (hash !== link_hash) return null
  return {
    link: `${getPublicUrl(services)}/board-demo#link=${token}`,
    madeAt: new Date(link_made_at).toISOString(),
    openedAt: toIsoTimeOrNull(link_opened_at),
  }
}
