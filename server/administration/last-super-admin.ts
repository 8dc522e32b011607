import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Write } from '#server/db/database.ts'
import { Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'

/**
 * First in a batch that takes a super-admin away: of several such batches one runs at a time. Without it two of
 * PostgreSQL, which reads what is committed, would each still see the other's super-admin. SQLite writes one by one anyhow.
 */
export function lockingSuperAdmins({ db }: Services): Write[] {
  if (db.engine === 'sqlite') return []
  return [
    // In one order, so that no two wait for each other.
    db.selectFrom('role_grants').select('person_id').where('role', '=', 'super-admin').orderBy('person_id').forUpdate(),
  ]
}

/**
 * The condition of the write that takes this person away as super-admin: by role, deactivation or deletion. It holds
 * for whoever is none, and where another one stays, who is neither deactivated nor about to delete the account.
 */
export function superAdminStaysWithout(personId: string): RawBuilder<SqlBool> {
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

/** Whether that condition does not hold now; a page says so before somebody asks. */
export async function isLastSuperAdmin({ db }: Services, personId: string): Promise<boolean> {
  const found = db.selectNoFrom(superAdminStaysWithout(personId).as('stays'))
  return !(await found.executeTakeFirstOrThrow()).stays
}

/** What to answer when that condition did not hold. */
export function lastSuperAdmin(): Problem {
  return new Problem('conflict', {
    message: 'This is the last super-admin. Grant the role to somebody else first.',
  })
}
