import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { PlatformRole } from '#contract/accounts/accounts.ts'
import { requireChanges, type Write } from '#server/db/database.ts'
import { dayMs, hourMs } from '#server/hours-and-days.ts'
import type { Services } from '#server/services.ts'
import { hashToken, newToken } from '#server/token.ts'

export type LinkKind = 'setup' | 'password-reset'

const lifetimes: Record<LinkKind, number> = {
  setup: dayMs,
  'password-reset': hourMs,
}

/** In a batch before what only one of several such batches may find at a time, such as links of a person and what they are worth. */
export function lockingPerson({ db }: Services, personId: string): Write[] {
  if (db.engine === 'sqlite') return []
  return [db.selectFrom('people').select('id').where('id', '=', personId).forNoKeyUpdate()]
}

/** A token that makes whoever registers with it super-admin. Works once, for a day; earlier ones stop working. */
export async function createSetupLink(services: Services): Promise<string> {
  const { token, row } = newLink(services, 'setup')
  await services.db.batch([
    services.db.deleteFrom('one_time_links').where('kind', '=', 'setup').where('used_at', 'is', null),
    services.db.insertInto('one_time_links').values({ ...row, person_id: null }),
  ])
  return token
}

interface ResetLink {
  /** Left out: it is mailed to whom it is for. */
  handedOver?: {
    /** Whoever makes it may not grant roles: see {@link lesserMakerKnowsPassword}. */
    byLesser: boolean
    /** All that the person may hold, for whoever may not make one for holders of more; left out: any. */
    roles?: readonly PlatformRole[]
  }
  also?: readonly Write[]
}

/**
 * A token with which a password is set. Works once, for an hour. One that is handed over ends those of before; a mailed
 * one, which anybody may ask for, ends none. @throws UnexpectedChanges for an account that is deactivated or gone, or
 * that holds another role
 */
export async function createResetLink(
  services: Services,
  personId: string,
  { handedOver, also = [] }: ResetLink = {},
): Promise<string> {
  const { db } = services
  const { token, row } = newLink(services, 'password-reset')
  const ending = db
    .deleteFrom('one_time_links')
    .where('kind', '=', row.kind)
    .where('person_id', '=', personId)
    .where('used_at', 'is', null)
  const roles = handedOver?.roles
  await db.batch([
    ...lockingPerson(services, personId),
    handedOver ? ending : ending.where('expires_at', '<=', row.created_at),
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
              sql.lit(handedOver?.byLesser ?? false).as('by_lesser'),
            ])
            .where('people.id', '=', personId)
            .where('people.deactivated_at', 'is', null)
            .$if(roles !== undefined, (people) =>
              people.where(({ not, exists, selectFrom }) =>
                not(
                  exists(
                    selectFrom('role_grants')
                      .select('role')
                      .where('person_id', '=', personId)
                      .$if((roles ?? []).length > 0, (grants) => grants.where('role', 'not in', roles ?? [])),
                  ),
                ),
              ),
            ),
        ),
    ),
    ...also,
  ])
  return token
}

function newLink(services: Services, kind: LinkKind) {
  const { token, hash } = newToken()
  const now = services.now().getTime()
  const times = { created_at: now, expires_at: now + lifetimes[kind], used_at: null }
  return { token, row: { id: services.newId(), kind, token_hash: hash, ...times } }
}

/**
 * Whether the password is one that somebody set by a link from who may not grant roles, and may so be known to that one.
 * Not that it was changed since, which whoever knows it can do: only another link ends it.
 */
export function lesserMakerKnowsPassword(personId: string): RawBuilder<SqlBool> {
  return sql<SqlBool>`exists (
    select 1 from one_time_links as link
    where link.person_id = ${personId} and link.used_at is not null and link.by_lesser
  )`
}

/** The write after which no link that somebody was given works any more. */
export function forgettingOneTimeLinks({ db }: Services, personId: string): Write {
  return db.deleteFrom('one_time_links').where('person_id', '=', personId).where('used_at', 'is', null)
}

/** The write, after the link was redeemed, that forgets all others of its person, those used before too. */
export function forgettingOtherLinks({ db }: Services, personId: string, token: string): Write {
  return db.deleteFrom('one_time_links').where('person_id', '=', personId).where('token_hash', '!=', hashToken(token))
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
