import { type Expression, type SqlBool, sql } from 'kysely'
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
export function containsWord(engine: Engine, column: string, word: string): Expression<SqlBool> {
  const operator = sql.raw(engine === 'postgres' ? 'ilike' : 'like')
  const small = word.toLowerCase()
  const [first = '', ...rest] = small
  const spellings = new Set([word, small, word.toUpperCase(), first.toUpperCase() + rest.join('')])
  const patterns = /^[\0-\x7f]*$/.test(word) ? [word] : [...spellings]
  const found = patterns.map((pattern) => {
    const escaped = `%${pattern.replace(/[\\%_]/g, '\\$&')}%`
    return sql<SqlBool>`${sql.ref(column)} ${operator} ${escaped} escape '\\'`
  })
  return sql<SqlBool>`(${sql.join(found, sql` or `)})`
}
