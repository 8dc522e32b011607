import { type Expression, type SqlBool, sql } from 'kysely'
import type { UserSearchResult } from '#contract/domains/domains.ts'
import type { Person } from '#server/accounts/person.ts'
import { escapeLike, likeEscape } from '#server/db/contains-word.ts'
import { requireAttempt } from '#server/http/throttle.ts'
import type { Services } from '#server/services.ts'
import { selectPeopleVisibleTo } from './people-of-domains.ts'

const maxResults = 10
const searchThrottle = { kind: 'people-search', limit: 20, windowMs: 60_000 }

/** Emails only match exactly or for visible people, so that they can't be enumerated. @throws Problem `too-many` */
export async function searchPeople(services: Services, person: Person, query: string): Promise<UserSearchResult[]> {
  await requireAttempt(services, searchThrottle, person.id)
  const normalizedQuery = query.toLowerCase()
  const visiblePeople = selectPeopleVisibleTo(services.db, person.id)
  const matches = services.db
    .selectFrom('people')
    .select(['people.id', 'people.name', 'people.email', 'people.email_folded', 'people.created_at'])
    .select((select) => select('people.id', 'in', visiblePeople).as('is_visible'))
    .where('people.id', '!=', person.id)
    .where('people.deactivated_at', 'is', null)
    .where((where) =>
      where.or([
        ...listCaseVariants(query).flatMap((spelling) => [
          matchesStart(where.ref('people.name'), spelling),
          matchesAnywhere(where.ref('people.name'), ` ${spelling}`),
        ]),
        where('people.email_folded', '=', normalizedQuery),
        where.and([
          where('people.id', 'in', visiblePeople),
          matchesStart(where.ref('people.email_folded'), normalizedQuery),
        ]),
      ]),
    )
    .orderBy('is_visible', 'desc')
    .orderBy('people.name')
    .orderBy('people.id')
    .limit(maxResults)
  const rows = await services.db.longRead(matches)
  return rows.map(({ id, name, email, email_folded, created_at, is_visible }) => ({
    id,
    name,
    email: is_visible || email_folded === normalizedQuery ? email : null,
    createdAt: is_visible ? new Date(created_at).toISOString() : null,
  }))
}

/** Tries variants, since neither database ignores the case of letters beyond a-z in its default collation. */
function listCaseVariants(text: string): string[] {
  const lowerCase = text.toLowerCase()
  const capitalized = lowerCase.replace(
    /(^|\s)(\S)/gu,
    (_, separator: string, first: string) => separator + first.toUpperCase(),
  )
  return [...new Set([text, lowerCase, capitalized].map(lowerAscii))]
}

const matchesStart = (column: Expression<string | null>, text: string) => matchesPattern(column, `${escapeLike(text)}%`)
const matchesAnywhere = (column: Expression<string | null>, text: string) =>
  matchesPattern(column, `%${escapeLike(text)}%`)

function matchesPattern(column: Expression<string | null>, pattern: string) {
  return sql<SqlBool>`lower(${column}) like ${pattern} escape ${sql.lit(likeEscape)}`
}

const lowerAscii = (text: string) => text.replace(/[A-Z]/g, (character) => character.toLowerCase())
