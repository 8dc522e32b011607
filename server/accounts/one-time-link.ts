import { requireChanges, type Write } from '#server/db/database.ts'
import type { Services } from '#server/services.ts'
import { hashToken, newToken } from '#server/token.ts'

export type LinkKind = 'setup' | 'password-reset'

const lifetimes: Record<LinkKind, number> = {
  setup: 24 * 60 * 60 * 1000,
  'password-reset': 60 * 60 * 1000,
}

/**
 * A token that works once and for a limited time, made together with `also`. Earlier links of the same kind for the
 * same person stop working.
 */
export async function createOneTimeLink(
  services: Services,
  kind: LinkKind,
  personId: string | null,
  also: readonly Write[] = [],
): Promise<string> {
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
    ...also,
  ])
  return token
}

/** The write after which no link that somebody was given works any more. */
export function forgettingOneTimeLinks({ db }: Services, personId: string): Write {
  return db.deleteFrom('one_time_links').where('person_id', '=', personId).where('used_at', 'is', null)
}

/** Whom a link is for, if it is of that kind, unused and in time. It stays usable. */
export async function findOneTimeLink(
  services: Services,
  kind: LinkKind,
  token: string,
): Promise<{ personId: string | null } | null> {
  const found = await services.db
    .selectFrom('one_time_links')
    .select('person_id')
    .where('token_hash', '=', hashToken(token))
    .where('kind', '=', kind)
    .where('used_at', 'is', null)
    .where('expires_at', '>', services.now().getTime())
    .executeTakeFirst()
  return found ? { personId: found.person_id } : null
}

/**
 * The write that marks a link used, to be part of the batch that does what the link allows: of two who race for it one
 * wins, and a link whose deed failed can be used again. The batch fails with UnexpectedChanges when it is used or too old.
 */
export function redeemingOneTimeLink(services: Services, kind: LinkKind, token: string): Write {
  const now = services.now().getTime()
  return requireChanges(
    services.db
      .updateTable('one_time_links')
      .set({ used_at: now })
      .where('token_hash', '=', hashToken(token))
      .where('kind', '=', kind)
      .where('used_at', 'is', null)
      .where('expires_at', '>', now),
  )
}
