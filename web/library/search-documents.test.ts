import { describe, expect, test } from 'vitest'
import type { LibraryDocument } from './documents.ts'
import { excerptOf, findDocuments } from './search-documents.ts'

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
const found = (words: string, type: 'all' | 'pdf' | 'text' = 'all', inText = new Map()) =>
  findDocuments(all, { words, type, inText }).map(({ id }) => id)

describe('searching the library', () => {
  test('finds names, descriptions and tags in any case', () => {
    expect(found('')).toEqual(['lease', 'choir', 'notes'])
    expect(found(' LEASE ')).toEqual(['lease'])
    expect(found('boathouse')).toEqual(['lease'])
    expect(found('autumn')).toEqual(['choir'])
    expect(found('nothing of this')).toEqual([])
  })
  test('combines with the type filter', () => {
    expect(found('', 'pdf')).toEqual(['lease'])
    expect(found('harbour', 'pdf')).toEqual([])
  })
  test('adds text matches, of the selected type only', () => {
    const inText = new Map([['notes', { before: '', match: 'tide', after: '' }]])
    expect(found('tide', 'all', inText)).toEqual(['notes'])
    expect(found('tide', 'pdf', inText)).toEqual([])
  })
})

describe('an excerpt', () => {
  test('shows the match as written, with context', () => {
    const text = `${'sea '.repeat(100)}the Blue Cup of the harbour ${'sand '.repeat(100)}`
    const excerpt = excerptOf(text, 'blue  cup')
    expect(excerpt?.match).toBe('Blue Cup')
    expect(excerpt?.before).toMatch(/^…sea .*the $/)
    expect(excerpt?.after).toMatch(/^ of the harbour .*sand…$/)
  })
  test('of a short text is the whole text', () => {
    expect(excerptOf('Über dem Meer', 'über')).toEqual({ before: '', match: 'Über', after: ' dem Meer' })
  })
  test('treats the query literally, never as a pattern', () => {
    expect(excerptOf('a.b', '.*')).toBeUndefined()
    expect(excerptOf('(a+)+$ is meant', '(a+)+$')?.match).toBe('(a+)+$')
    expect(excerptOf('anything', ' ')).toBeUndefined()
  })
  test('of a pasted page matches its beginning', () => {
    const page = `It began. ${'(9007199254740993 OR '.repeat(20_000)}`
    expect(excerptOf(`Before. ${page}`, page)?.match).toHaveLength(500)
    expect(excerptOf('Somewhere else', page)).toBeUndefined()
  })
})
