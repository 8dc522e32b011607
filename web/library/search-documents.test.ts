import { describe, expect, test } from 'vitest'
import type { ExtractedText, LibraryDocument } from './documents.ts'
import { findDocuments, searchTexts } from './search-documents.ts'

const document = (id: string, changes: Partial<LibraryDocument> = {}): LibraryDocument => ({
  id,
  name: `${id}.txt`,
  type: 'text',
  format: 'text',
  size: 1,
  uploadedAt: '2026-11-21T10:00:00.000Z',
  blobKey: id,
  sha256: null,
  description: '',
  tags: [],
  ...changes,
})
const documents = [
  document('lease', { description: 'The Boathouse clause', type: 'pdf', format: 'pdf' }),
  document('choir', { tags: ['Autumn', 'harbour'] }),
  document('notes'),
]
const search = (query: string, type: 'all' | 'pdf' | 'text' = 'all', inText = new Map()) =>
  findDocuments(documents, { query, type, inText }).map(({ id }) => id)

describe('searching the library', () => {
  test('finds names, descriptions and tags in any case', () => {
    expect(search('')).toEqual(['lease', 'choir', 'notes'])
    expect(search(' LEASE ')).toEqual(['lease'])
    expect(search('boathouse')).toEqual(['lease'])
    expect(search('autumn')).toEqual(['choir'])
    expect(search('nothing of this')).toEqual([])
    expect(search('harbour choir')).toEqual(['choir'])
  })
  test('finds names in any encoding', () => {
    const decomposed = [document('one', { name: 'Gro\u0308ße.txt' })]
    for (const query of ['Größe.txt', 'grosse', 'GRÖSSE'])
      expect(findDocuments(decomposed, { query, type: 'all', inText: new Map() }), query).toEqual(decomposed)
  })
  test('finds letters however they are composed', () => {
    const composed = document('composed', { name: 'Größe.txt'.normalize('NFC'), tags: ['Café'.normalize('NFC')] })
    const decomposed = document('decomposed', { name: 'Größe.txt'.normalize('NFD'), tags: ['Café'.normalize('NFD')] })
    for (const form of ['NFC', 'NFD'])
      for (const query of ['größe', 'café'])
        expect(
          findDocuments([composed, decomposed], { query: query.normalize(form), type: 'all', inText: new Map() }),
        ).toHaveLength(2)
  })
  test('combines with the type filter', () => {
    expect(search('', 'pdf')).toEqual(['lease'])
    expect(search('harbour', 'pdf')).toEqual([])
  })
  test('adds text matches, of the selected type only', () => {
    const inText = new Map([['notes', { excerpt: 'tide', marks: [] }]])
    expect(search('tide', 'all', inText)).toEqual(['notes'])
    expect(search('tide', 'pdf', inText)).toEqual([])
  })
})

describe('searching the texts', () => {
  const searchText = async (text: string, query: string, details = {}) => {
    async function* texts(): AsyncGenerator<ExtractedText[]> {
      yield [{ id: 'one', text, state: 'read' }]
    }
    const matches = await searchTexts({ readTextBatches: texts }, [document('one', details)], query)
    const match = matches.get('one')
    return { found: matches.has('one'), marked: match?.marks.map(([from, to]) => match.excerpt.slice(from, to)) }
  }
  const noMatch = { found: false, marked: undefined }

  test('marks the match as written', async () => {
    expect(await searchText('the Blue Cup of the harbour', '"blue  cup"')).toEqual({
      found: true,
      marked: ['Blue Cup'],
    })
    expect(await searchText('Über dem Meer', 'uber')).toEqual({ found: true, marked: ['Über'] })
    expect(await searchText('Die Besta\u0308tigung', 'Bestätigung')).toEqual({
      found: true,
      marked: ['Besta\u0308tigung'],
    })
  })
  test('needs every word, in any order, in the text or the details', async () => {
    expect((await searchText('I know a good café', 'café know')).found).toBe(true)
    expect(await searchText('I know a good café', 'café harbour')).toEqual(noMatch)
    expect((await searchText('I know a good café', 'café harbour', { tags: ['Harbour'] })).found).toBe(true)
    expect(await searchText('I know a good café', 'café -good')).toEqual(noMatch)
  })
  test('treats the query literally, never as a pattern', async () => {
    expect(await searchText('a.b', '.*')).toEqual(noMatch)
    expect((await searchText('(a+)+$ is meant', '(a+)+$')).marked).toEqual(['(a+)+$'])
    expect(await searchText('anything', ' ')).toEqual(noMatch)
  })
  test('a search for a pasted page uses its beginning', async () => {
    const page = `It began. ${'(9007199254740993 OR '.repeat(20_000)}`
    expect((await searchText(`Before. ${page}`, page)).found).toBe(true)
    expect(await searchText('Somewhere else', page)).toEqual(noMatch)
  })
})
