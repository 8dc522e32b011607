import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Engine } from './engine-driver.ts'

const mostWords = 10

export function wordsOf(text: string | undefined): string[] {
  return [...new Set((text ?? '').split(/\s+/))].filter((word) => word !== '').slice(0, mostWords)
}

/** Case-insensitive substring match. SQLite folds only ASCII, so other words are matched in several spellings. */
export function containsWord(engine: Engine, column: string | RawBuilder<unknown>, word: string): Expression<SqlBool> {
  const operator = sql.raw(engine === 'postgres' ? 'ilike' : 'like')
  const text = typeof column === 'string' ? sql.ref(column) : column
  const found = spellingsOf(word).map((pattern) => {
    const escaped = `%${pattern.replace(/[\\%_]/g, '\\$&')}%`
    return sql<SqlBool>`${text} ${operator} ${escaped} escape '\\'`
  })
  return sql<SqlBool>`(${sql.join(found, sql` or `)})`
}

function spellingsOf(word: string): string[] {
  if (/^[\0-\x7f]*$/.test(word)) return [word]
  const small = word.normalize('NFC').toLowerCase()
  const [first = '', ...rest] = small
  const spellings = [word, small, small.toUpperCase(), first.toUpperCase() + rest.join('')]
  return [...new Set(spellings.flatMap((each) => [each, each.normalize('NFC'), each.normalize('NFD')]))]
}
