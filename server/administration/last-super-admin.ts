import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Write } from '#server/db/database.ts'
import { Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'

/** First write of a batch that removes a super-admin: PostgreSQL would let two concurrent ones remove each other. */
export function lockSuperAdmins({ db }: Services): Write[] {
  if (db.engine === 'sqlite') return []
  return [
    // A fixed order prevents deadlocks.
    db.selectFrom('role_grants').select('person_id').where('role', '=', 'super-admin').orderBy('person_id').forUpdate(),
  ]
}

/** SQL condition for removing a person: they aren't super-admin, or another active one remains. */
export function buildSuperAdminRemainsCondition(personId: string): RawBuilder<SqlBool> {
  return sql<SqlBool>`(
    not exists (select 1 from role_grants as own where own.person_id = ${personId} and own.role = 'super-admin')
    or exists (
      select 1 from role_grants as other
      inner join people as holder on holder.id = other.person_id
      where other.role = 'super-admin' and other.person_id <> ${personId}
        and holder.deactivated_at is null and holder.deletes_at is null
    )
  )`
}

export async function isLastSuperAdmin({ db }: Services, personId: string): Promise<boolean> {
  const query = db.selectNoFrom(buildSuperAdminRemainsCondition(personId).as('stays'))
  return !(await query.executeTakeFirstOrThrow()).stays
}

export function createLastSuperAdminProblem(): Problem {
  return new Problem('conflict', {
    message: 'This is the last super-admin. Grant the role to someone else first.',
  })
}
