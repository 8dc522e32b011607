import { sql } from 'kysely'
import type { PlatformUser } from '#contract/administration/administration.ts'
import { Reply } from '#server/http/serve-area.ts'
import { formatTimeCursor, parseTimeCursor } from '#server/http/time-cursor.ts'
import type { Services } from '#server/services.ts'
import { toIsoTimeOrNull } from '#server/values/iso-time.ts'
import { getRolesByPerson, matchNameOrEmail } from './people-with-roles.ts'

const maxPageSize = 1000

interface ListUsersInput {
  search?: string | undefined
  cursor?: string | undefined
  limit?: number | undefined
}

/** Newest first, with the `total` of the search and `next_cursor`. @throws Problem 400 for an invalid cursor */
export async function listUsers(services: Services, input: ListUsersInput): Promise<Reply<PlatformUser[]>> {
  const limit = input.limit ?? maxPageSize
  let matches = services.db.selectFrom('people')
  if (input.search) matches = matches.where(matchNameOrEmail(services.db.engine, input.search))
  let page = matches
  if (input.cursor !== undefined) {
    const { at, id } = parseTimeCursor(input.cursor)
    page = page.where(sql<boolean>`(people.created_at, people.id) < (${at}, ${id})`)
  }
  const rows = await services.db.longRead(
    page
      .select(userColumns)
      .orderBy('people.created_at', 'desc')
      .orderBy('people.id', 'desc')
      .limit(limit + 1),
  )
  const [totalRow] = await services.db.longRead(matches.select((select) => select.fn.countAll<number>().as('total')))
  const visibleRows = rows.slice(0, limit)
  const roles = await getRolesByPerson(
    services,
    visibleRows.map(({ id }) => id),
  )
  const last = rows.length > limit ? visibleRows.at(-1) : undefined
  return new Reply(
    visibleRows.map((row) => toPlatformUser(row, roles.get(row.id) ?? [])),
    {
      extra: {
        total: Number(totalRow?.total ?? 0),
        next_cursor: last ? formatTimeCursor(last.created_at, last.id) : null,
      },
    },
  )
}

export const userColumns = [
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

export function toPlatformUser(row: UserRow, platformRoles: PlatformUser['platformRoles']): PlatformUser {
  return {
    id: row.id,
    name: row.name,
    email: row.email,
    platformRoles,
    createdAt: new Date(row.created_at).toISOString(),
    lastLoginAt: toIsoTimeOrNull(row.last_sign_in_at),
    deactivatedAt: toIsoTimeOrNull(row.deactivated_at),
  }
}
