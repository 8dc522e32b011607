import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { PlatformRole } from '#contract/accounts/accounts.ts'
import { requireChanges, type Write } from '#server/db/database.ts'
import type { Services } from '#server/services.ts'
import { dayMs, hourMs } from '#server/values/time-units.ts'
import { hashToken, newToken } from '#server/values/token.ts'

export type LinkKind = 'setup' | 'password-reset'

const lifetimesMs: Record<LinkKind, number> = {
  setup: dayMs,
  'password-reset': hourMs,
}

/** First write of a batch that must not run concurrently with another one for the same person. */
export function lockPerson({ db }: Services, personId: string): Write[] {
  if (db.engine === 'sqlite') return []
  return [db.selectFrom('people').select('id').where('id', '=', personId).forNoKeyUpdate()]
}

/** A token that makes the person who registers with it super-admin, once, within a day. Replaces earlier ones. */
export async function createSetupLink(services: Services): Promise<string> {
  const { token, row } = createLinkRow(services, 'setup')
  await services.db.batch([
    services.db.deleteFrom('one_time_links').where('kind', '=', 'setup').where('used_at', 'is', null),
    services.db.insertInto('one_time_links').values({ ...row, person_id: null }),
  ])
  return token
}

export interface ResetLinkOptions {
  issuedByAdmin?: {
    /** The administrator can't grant roles: see {@link buildPasswordExposedCondition}. */
    isIssuerLimited: boolean
    /** Roles the person can have at most, if the administrator is limited; absent: any. */
    allowedRoles?: readonly PlatformRole[]
  }
  extraWrites?: readonly Write[]
}

/** A one-time token to set a password, for an hour. @throws UnexpectedChanges if the account is closed or has other roles */
export async function createResetLink(
  services: Services,
  personId: string,
  { issuedByAdmin, extraWrites = [] }: ResetLinkOptions = {},
): Promise<string> {
  const { db } = services
  const { token, row } = createLinkRow(services, 'password-reset')
  const deleteEarlierLinks = db
    .deleteFrom('one_time_links')
    .where('kind', '=', row.kind)
    .where('person_id', '=', personId)
    .where('used_at', 'is', null)
  const { allowedRoles } = issuedByAdmin ?? {}
  await db.batch([
    ...lockPerson(services, personId),
    issuedByAdmin ? deleteEarlierLinks : deleteEarlierLinks.where('expires_at', '<=', row.created_at),
    requireChanges(
      db
        .insertInto('one_time_links')
        .columns(['person_id', 'id', 'kind', 'token_hash', 'created_at', 'expires_at', 'used_at', 'by_lesser'])
        .expression((from) =>
          from
            .selectFrom('people')
            .select([
              'people.id as person_id',
              sql.val(row.id).as('id'),
              sql<LinkKind>`${row.kind}`.as('kind'),
              sql.val(row.token_hash).as('token_hash'),
              sql.val(row.created_at).as('created_at'),
              sql.val(row.expires_at).as('expires_at'),
              sql.lit(null).as('used_at'),
              sql.lit(issuedByAdmin?.isIssuerLimited ?? false).as('by_lesser'),
            ])
            .where('people.id', '=', personId)
            .where('people.deactivated_at', 'is', null)
            .$if(allowedRoles !== undefined, (people) =>
              people.where(({ not, exists, selectFrom }) =>
                not(
                  exists(
                    selectFrom('role_grants')
                      .select('role')
                      .where('person_id', '=', personId)
                      .$if((allowedRoles ?? []).length > 0, (grants) =>
                        grants.where('role', 'not in', allowedRoles ?? []),
                      ),
                  ),
                ),
              ),
            ),
        ),
    ),
    ...extraWrites,
  ])
  return token
}

function createLinkRow(services: Services, kind: LinkKind) {
  const { token, hash } = newToken()
  const now = services.now().getTime()
  const times = { created_at: now, expires_at: now + lifetimesMs[kind], used_at: null }
  return { token, row: { id: services.newId(), kind, token_hash: hash, ...times } }
}

/** SQL condition: someone who can't grant roles created the reset link, so they may know the password. Only a new link clears it. */
export function buildPasswordExposedCondition(personId: string): RawBuilder<SqlBool> {
  return sql<SqlBool>`exists (
    select 1 from one_time_links as link
    where link.person_id = ${personId} and link.used_at is not null and link.by_lesser
  )`
}

export function deleteUnusedLinks({ db }: Services, personId: string): Write {
  return db.deleteFrom('one_time_links').where('person_id', '=', personId).where('used_at', 'is', null)
}

export function deleteOtherLinks({ db }: Services, personId: string, token: string): Write {
  return db.deleteFrom('one_time_links').where('person_id', '=', personId).where('token_hash', '!=', hashToken(token))
}

export async function findOneTimeLink(
  services: Services,
  kind: LinkKind,
  token: string,
): Promise<{ personId: string | null } | null> {
  const link = await services.db
    .selectFrom('one_time_links')
    .select('person_id')
    .where('token_hash', '=', hashToken(token))
    .where('kind', '=', kind)
    .where('used_at', 'is', null)
    .where('expires_at', '>', services.now().getTime())
    .executeTakeFirst()
  return link ? { personId: link.person_id } : null
}

/** Write that marks a link used; of two concurrent uses one fails with UnexpectedChanges, as does an expired link. */
export function redeemOneTimeLink(services: Services, kind: LinkKind, token: string): Write {
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
