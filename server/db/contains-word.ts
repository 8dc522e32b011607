import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Engine } from './engine-driver.ts'

const mostWords = 10

/** The words of a search, each once; what comes after the tenth is not looked for. */
export function wordsOf(text: string | undefined): string[] {
  return [...new Set((text ?? '').split(/\s+/))].filter((word) => word !== '').slice(0, mostWords)
}

/**
 * A word anywhere in the text of a column, capital or small. SQLite folds only a to z, and PostgreSQL what its locale
 * knows, so a word with other letters is looked for as it may be written.
 */
export function containsWord(engine: Engine, column: string | RawBuilder<unknown>, word: string): Expression<SqlBool> {
  const operator = sql.raw(engine === 'postgres' ? 'ilike' : 'like')
  const text = typeof column === 'string' ? sql.ref(column) : column
  const found = spellingsOf(word).map((pattern) => {
    const escaped = `%${pattern.replace(/[\\%_]/g, '\\$&')}%`
    return sql<SqlBool>`${text} ${operator} ${escaped} escape '\\'`
  })
  return sql<SqlBool>`(${sql.join(found, sql` or `)})`
}

/** An accent is a part of its letter, or a sign that follows it: texts come with both, and look the same. */
function spellingsOf(word: string): string[] {
  if (/^[\0-\x7f]*$/.test(word)) return [word]
  const small = word.normalize('NFC').toLowerCase()
  const [first = '', ...rest] = small
  const spellings = [word, small, small.toUpperCase(), first.toUpperCase() + rest.join('')]
  return [...new Set(spellings.flatMap((each) => [each, each.normalize('NFC'), each.normalize('NFD')]))]
}
