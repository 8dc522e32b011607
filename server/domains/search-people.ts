import { type Expression, type SqlBool, sql } from 'kysely'
import type { FoundPerson } from '#contract/domains/domains.ts'
import type { Person } from '#server/accounts/person.ts'
import { Problem } from '#server/http/problem.ts'
import { countTry } from '#server/http/throttle.ts'
import type { Services } from '#server/services.ts'
import { peopleOpenTo } from './people-of-domains.ts'

const mostFound = 10
const searches = { kind: 'people-search', limit: 20, windowMs: 60_000 }

/** Emails only match exactly or for visible people, so that they can't be enumerated. @throws Problem `too-many` */
export async function searchPeople(services: Services, person: Person, query: string): Promise<FoundPerson[]> {
  const { within, waitSeconds } = await countTry(services, searches, person.id)
  if (!within) throw new Problem('too-many', { retryAfterSeconds: waitSeconds })
  const folded = query.toLowerCase()
  const close = peopleOpenTo(services.db, person.id)
  const found = services.db
    .selectFrom('people')
    .select(['people.id', 'people.name', 'people.email', 'people.email_folded', 'people.created_at'])
    .select((select) => select('people.id', 'in', close).as('is_close'))
    .where('people.id', '!=', person.id)
    .where('people.deactivated_at', 'is', null)
    .where((where) =>
      where.or([
        ...spellingsOf(query).flatMap((spelling) => [
          beginsWith(where.ref('people.name'), spelling),
          contains(where.ref('people.name'), ` ${spelling}`),
        ]),
        where('people.email_folded', '=', folded),
        where.and([where('people.id', 'in', close), beginsWith(where.ref('people.email_folded'), folded)]),
      ]),
    )
    .orderBy('is_close', 'desc')
    .orderBy('people.name')
    .orderBy('people.id')
    .limit(mostFound)
  const rows = await services.db.longRead(found)
  return rows.map(({ id, name, email, email_folded, created_at, is_close }) => ({
    id,
    name,
    email: is_close || email_folded === folded ? email : null,
    createdAt: is_close ? new Date(created_at).toISOString() : null,
  }))
}

/** Letter case beyond a-z is tried in variants, since neither database folds it in its default collation. */
function spellingsOf(text: string): string[] {
  const small = text.toLowerCase()
  const asWords = small.replace(/(^|\s)(\S)/gu, (_, before: string, first: string) => before + first.toUpperCase())
  return [...new Set([text, small, asWords].map(foldedPlainly))]
}

const beginsWith = (column: Expression<string | null>, text: string) => like(column, `${escaped(text)}%`)
const contains = (column: Expression<string | null>, text: string) => like(column, `%${escaped(text)}%`)

function like(column: Expression<string | null>, pattern: string) {
  return sql<SqlBool>`lower(${column}) like ${pattern} escape '\\'`
}

const foldedPlainly = (text: string) => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())

function escaped(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&')
}
