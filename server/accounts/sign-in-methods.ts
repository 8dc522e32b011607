import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Services } from '#server/services.ts'
import { findRpId } from './passkeys/passkey-host.ts'

/** Accounts that have never had a password hold a text that no password matches. */
export const passwordHashPrefix = '$argon2id$'

export const hasPassword = (passwordHash: string): boolean => passwordHash.startsWith(passwordHashPrefix)

export async function personHasPassword({ db }: Pick<Services, 'db'>, personId: string): Promise<boolean> {
  const { password_hash } = await db
    .selectFrom('people')
    .select('password_hash')
    .where('id', '=', personId)
    .executeTakeFirstOrThrow()
  return hasPassword(password_hash)
}

/**
 * SQL condition: the person has another way to sign in. The filters are SQL conditions for the passkeys and identities
 * that count; those of another host name or provider never do.
 */
export function buildOtherSignInCondition(
  services: Pick<Services, 'settings'>,
  personId: string,
  filters: { passkeyFilter?: RawBuilder<unknown>; identityFilter?: RawBuilder<unknown> },
): RawBuilder<SqlBool> {
  const { passkeyFilter = sql`1 = 1`, identityFilter = sql`1 = 1` } = filters
  const issuer = services.settings.oidc?.issuer.replace(/\/$/, '') ?? ''
  const rpId = findRpId(services) ?? ''
  return sql<SqlBool>`(
    exists (select 1 from people as owner where owner.id = ${personId} and owner.password_hash like ${`${passwordHashPrefix}%`})
    or exists (
      select 1 from (select id, person_id, rp_id from passkeys) as passkeys
      where passkeys.person_id = ${personId} and passkeys.rp_id = ${rpId} and ${passkeyFilter}
    )
    or exists (
      select 1 from (select id, person_id, issuer from identities) as identities
      where identities.person_id = ${personId} and identities.issuer in (${issuer}, ${`${issuer}/`})
        and ${identityFilter}
    )
  )`
}
