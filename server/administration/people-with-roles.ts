import { type Expression, type SqlBool, sql } from 'kysely'
import { type PlatformRole, platformRoles } from '#contract/accounts/accounts.ts'
import { containsWord } from '#server/db/contains-word.ts'
import type { Engine } from '#server/db/database.ts'
import type { Services } from '#server/services.ts'

export function matchNameOrEmail(engine: Engine, search: string): Expression<SqlBool> {
  return sql<SqlBool>`(${containsWord(engine, 'people.name', search)} or ${containsWord(engine, 'people.email_folded', search.toLowerCase())})`
}

export async function getRolesByPerson({ db }: Services, ids: readonly string[]): Promise<Map<string, PlatformRole[]>> {
  if (ids.length === 0) return new Map()
  const grants = await db.selectFrom('role_grants').select(['person_id', 'role']).execute()
  const requestedIds = new Set(ids)
  const grantsByPerson = Map.groupBy(
    grants.filter(({ person_id }) => requestedIds.has(person_id)),
    ({ person_id }) => person_id,
  )
  const sortRoles = (roles: PlatformRole[]) => platformRoles.filter((role) => roles.includes(role))
  return new Map([...grantsByPerson].map(([id, rows]) => [id, sortRoles(rows.map(({ role }) => role))]))
}
