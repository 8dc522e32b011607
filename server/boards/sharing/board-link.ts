import type { BoardLink } from '#contract/boards/board-sharing.ts'
import type { Services } from '#server/services.ts'
import { getPublicUrl } from '#server/settings/public-url.ts'
import { toIsoTimeOrNull } from '#server/values/iso-time.ts'
import { hashToken } from '#server/values/token.ts'
import type { BoardRow } from '../board-access.ts'

/** Token and stored hash of a board link, derived from its creation time, so that the link can be shown again. */
export function deriveLinkToken(
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
