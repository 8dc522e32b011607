import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Engine } from './engine-driver.ts'

const maxSearchWords = 10

export function splitSearchWords(text: string | undefined): string[] {
  return [...new Set((text ?? '').split(/\s+/))].filter((word) => word !== '').slice(0, maxSearchWords)
}

/** Not a backslash: PostgreSQL reads one in a literal differently when standard_conforming_strings is off. */
export const likeEscape = '!'

export const escapeLike = (text: string): string => text.replace(/[!%_]/g, '!$&')

/** Case-insensitive substring match. SQLite ignores case only in ASCII, so other words are matched in several spellings. */
export function containsWord(engine: Engine, column: string | RawBuilder<unknown>, word: string): Expression<SqlBool> {
  const operator = sql.raw(engine === 'postgres' ? 'ilike' : 'like')
  const text = typeof column === 'string' ? sql.ref(column) : column
  const conditions = getSpellings(word).map((pattern) => {
    return sql<SqlBool>`${text} ${operator} ${`%${escapeLike(pattern)}%`} escape ${sql.lit(likeEscape)}`
  })
  return sql<SqlBool>`(${sql.join(conditions, sql` or `)})`
}

function getSpellings(word: string): string[] {
  if (/^[\0-\x7f]*$/.test(word)) return [word]
  const lowercase = word.normalize('NFC').toLowerCase()
  const [first = '', ...others] = lowercase
  const spellings = [word, lowercase, lowercase.toUpperCase(), first.toUpperCase() + others.join('')]
  return [...new Set(spellings.flatMap((spelling) => [spelling, spelling.normalize('NFC'), spelling.normalize('NFD')]))]
}
