import { sql } from 'kysely'
import type { PlatformUser } from '#contract/administration/administration.ts'
import { Reply } from '#server/http/serve-area.ts'
import { cursorAfter, placeOf } from '#server/http/time-cursor.ts'
import { isoTimeOrNull } from '#server/iso-time.ts'
import type { Services } from '#server/services.ts'
import { rolesOf, saidInNameOrEmail } from './people-with-roles.ts'

const mostAtOnce = 1000

interface Asked {
  search?: string | undefined
  cursor?: string | undefined
  limit?: number | undefined
}

/** Newest first, with the `total` of the search and `next_cursor`. @throws Problem 400 for an invalid cursor */
export async function listUsers(services: Services, asked: Asked): Promise<Reply<PlatformUser[]>> {
  const limit = asked.limit ?? mostAtOnce
  let found = services.db.selectFrom('people')
  if (asked.search) found = found.where(saidInNameOrEmail(services.db.engine, asked.search))
  let page = found
  if (asked.cursor !== undefined) {
    const { at, id } = placeOf(asked.cursor)
    page = page.where(sql<boolean>`(people.created_at, people.id) < (${at}, ${id})`)
  }
  const rows = await services.db.longRead(
    page
      .select(columnsOfUser)
      .orderBy('people.created_at', 'desc')
      .orderBy('people.id', 'desc')
      .limit(limit + 1),
  )
  const [counted] = await services.db.longRead(found.select((select) => select.fn.countAll<number>().as('total')))
  const shown = rows.slice(0, limit)
  const roles = await rolesOf(
    services,
    shown.map(({ id }) => id),
  )
  const last = rows.length > limit ? shown.at(-1) : undefined
  return new Reply(
    shown.map((row) => userView(row, roles.get(row.id) ?? [])),
    { extra: { total: Number(counted?.total ?? 0), next_cursor: last ? cursorAfter(last.created_at, last.id) : null } },
  )
}

export const columnsOfUser = [
  'people.id',
  'people.name',
  'people.email',
  'people.created_at',
  'people.last_sign_in_at',
  'people.deactivated_at',
] as const

interface UserRow {
  id: string
  name: string | null
  email: string
  created_at: number
  last_sign_in_at: number | null
  deactivated_at: number | null
}

export function userView(row: UserRow, platformRoles: PlatformUser['platformRoles']): PlatformUser {
  return {
    id: row.id,
    name: row.name,
    email: row.email,
    platformRoles,
    createdAt: new Date(row.created_at).toISOString(),
    lastLoginAt: isoTimeOrNull(row.last_sign_in_at),
    deactivatedAt: isoTimeOrNull(row.deactivated_at),
  }
}
