import { describe, expect, test } from 'vitest'
import type { LibraryDocument } from './documents.ts'
import { findDocuments, findExcerpt } from './search-documents.ts'

const document = (id: string, changes: Partial<LibraryDocument> = {}): LibraryDocument => ({
  ...{ id, name: `${id}.txt`, type: 'text', format: 'text', size: 1, uploadedAt: '2026-11-21T10:00:00.000Z' },
  ...{ blobKey: id, sha256: null, description: '', tags: [] },
  ...changes,
})
const all = [
  document('lease', { description: 'The Boathouse clause', type: 'pdf', format: 'pdf' }),
  document('choir', { tags: ['Autumn', 'harbour'] }),
  document('notes'),
]
const search = (query: string, type: 'all' | 'pdf' | 'text' = 'all', inText = new Map()) =>
  findDocuments(all, { query, type, inText }).map(({ id }) => id)

describe('searching the library', () => {
  test('finds names, descriptions and tags in any case', () => {
    expect(search('')).toEqual(['lease', 'choir', 'notes'])
    expect(search(' LEASE ')).toEqual(['lease'])
    expect(search('boathouse')).toEqual(['lease'])
    expect(search('autumn')).toEqual(['choir'])
    expect(search('nothing of this')).toEqual([])
  })
  test('combines with the type filter', () => {
    expect(search('', 'pdf')).toEqual(['lease'])
    expect(search('harbour', 'pdf')).toEqual([])
  })
  test('adds text matches, of the selected type only', () => {
    const inText = new Map([['notes', { before: '', match: 'tide', after: '' }]])
    expect(search('tide', 'all', inText)).toEqual(['notes'])
    expect(search('tide', 'pdf', inText)).toEqual([])
  })
})

describe('an excerpt', () => {
  test('shows the match as written, with context', () => {
    const text = `${'sea '.repeat(100)}the Blue Cup of the harbour ${'sand '.repeat(100)}`
    const excerpt = findExcerpt(text, 'blue  cup')
    expect(excerpt?.match).toBe('Blue Cup')
    expect(excerpt?.before).toMatch(/^…sea .*the $/)
    expect(excerpt?.after).toMatch(/^ of the harbour .*sand…$/)
  })
  test('of a short text is the whole text', () => {
    expect(findExcerpt('Über dem Meer', 'über')).toEqual({ before: '', match: 'Über', after: ' dem Meer' })
  })
  test('treats the query literally, never as a pattern', () => {
    expect(findExcerpt('a.b', '.*')).toBeUndefined()
    expect(findExcerpt('(a+)+$ is meant', '(a+)+$')?.match).toBe('(a+)+$')
    expect(findExcerpt('anything', ' ')).toBeUndefined()
  })
  test('of a pasted page matches its beginning', () => {
    const page = `It began. ${'(9007199254740993 OR '.repeat(20_000)}`
    expect(findExcerpt(`Before. ${page}`, page)?.match).toHaveLength(500)
    expect(findExcerpt('Somewhere else', page)).toBeUndefined()
  })
})
