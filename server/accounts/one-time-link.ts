import type { Services } from '#server/services.ts'
import { hashToken, newToken } from './token.ts'

export type LinkKind = 'setup' | 'password-reset'

const lifetimes: Record<LinkKind, number> = {
  setup: 24 * 60 * 60 * 1000,
  'password-reset': 60 * 60 * 1000,
}

/** A token that works once and for a limited time. Earlier links of the same kind for the same person stop working. */
export async function createOneTimeLink(services: Services, kind: LinkKind, personId: string | null): Promise<string> {
  const { token, hash } = newToken()
  const now = services.now().getTime()
  await services.db.batch([
    services.db
      .deleteFrom('one_time_links')
      .where('kind', '=', kind)
      .where('person_id', personId === null ? 'is' : '=', personId)
      .where('used_at', 'is', null),
    services.db.insertInto('one_time_links').values({
      id: services.newId(),
      kind,
      token_hash: hash,
      person_id: personId,
      created_at: now,
      expires_at: now + lifetimes[kind],
      used_at: null,
    }),
  ])
  return token
}

/** Marks a link used, if it is of that kind, unused and in time. The one update decides between two who race for it. */
export async function redeemOneTimeLink(
  services: Services,
  kind: LinkKind,
  token: string,
): Promise<{ personId: string | null } | null> {
  const now = services.now().getTime()
  const used = await services.db
    .updateTable('one_time_links')
    .set({ used_at: now })
    .where('token_hash', '=', hashToken(token))
    .where('kind', '=', kind)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .returning('person_id')
    .executeTakeFirst()
  return used ? { personId: used.person_id } : null
}
