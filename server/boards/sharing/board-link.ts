import type { BoardLink } from '#contract/boards/board-sharing.ts'
import { isoTimeOrNull } from '#server/iso-time.ts'
import { ownAddress } from '#server/own-address.ts'
import type { Services } from '#server/services.ts'
import { hashToken } from '#server/token.ts'
import type { BoardRow } from '../board-access.ts'

/**
 * The token in the link of a board, and the hash that is all the database keeps of it. It is derived, so that the link
 * can be shown again; another making time makes another one.
 */
export function linkTokenOf(
  { sealer }: Pick<Services, 'sealer'>,
  { id, madeAt }: { id: string; madeAt: number },
): { token: string; hash: string } {
  const token = `kpb_${sealer.derive('board link', `board|${id}|${madeAt}`)}`
  return { token, hash: hashToken(token) }
}

/**
 * The link of a board; null where it has none, and where it was made before the server’s secret was changed. It has no expiry:
 * it works until its owner takes it back, or makes another.
 */
export function boardLink(
  services: Services,
  { id, link_hash, link_made_at, link_opened_at }: BoardRow,
): BoardLink | null {
  if (link_hash === null || link_made_at === null) return null
  const { token, hash } = linkTokenOf(services, { id, madeAt: link_made_at })
  if (hash !== link_hash) return null
  return {
    link: `${ownAddress(services)}/board-demo#link=${token}`,
    madeAt: new Date(link_made_at).toISOString(),
    openedAt: isoTimeOrNull(link_opened_at),
  }
}
