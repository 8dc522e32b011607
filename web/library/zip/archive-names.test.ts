import { describe, expect, test } from 'vitest'
import { unzip } from '#tests/unzip.ts'
import type { LibraryDocument } from '../documents.ts'
import { getArchiveNames, getFileName } from './archive-names.ts'
import { zipDocuments } from './zip-documents.ts'

const text = (name: string) => ({ name, format: 'text' as const })

describe('archive names', () => {
  test.each([
    ['notes.txt', 'notes.txt'],
    ['Lease, harbour house', 'Lease, harbour house.txt'],
    ['../../etc/passwd', '-..-etc-passwd.txt'],
    ['C:\\Windows\\x', 'C--Windows-x.txt'],
    ['a\u202etxt.exe', 'atxt.exe.txt'],
    ['CON', '_CON.txt'],
    ['nul.txt', '_nul.txt'],
    ['...', 'document.txt'],
    ['.txt', 'txt.txt'],
    ['a\u0000b\n', 'ab.txt'],
    ['é'.repeat(300), `${'é'.repeat(120)}.txt`],
  ])('%j becomes %j', (name, safe) => expect(getFileName(text(name))).toBe(safe))

  test('end with the extension of their format', () => {
    expect(getFileName({ name: 'page.htm', format: 'html' })).toBe('page.htm')
    expect(getFileName({ name: 'page.html.exe', format: 'html' })).toBe('page.html.exe.html')
  })
  test('are unique in any case and differ from the metadata file', () => {
    const names = getArchiveNames([
      text('a.txt'),
      text('A.txt'),
      text('a (2).txt'),
      { name: 'documents.json', format: 'json' },
    ])
    expect(names).toEqual(['a.txt', 'A (2).txt', 'a (2) (2).txt', 'documents (2).json'])
  })
})

const exportedAt = '2026-11-21T11:00:00.000Z'

test('an archive holds every document unchanged, plus metadata', async () => {
  const documents = ['a.pdf', 'b.txt'].map(
    (name, index): LibraryDocument => ({
      id: `id${index}`,
      name,
      type: index ? 'text' : 'pdf',
      format: index ? 'text' : 'pdf',
      size: 3,
      blobKey: name,
      uploadedAt: '2026-11-21T10:00:00.000Z',
      sha256: null,
      description: 'd',
      tags: ['t'],
    }),
  )
  const zip = await zipDocuments(documents, async ({ name }) => new Blob([`bytes of ${name}`.repeat(5000)]), exportedAt)
  const files = await unzip(Buffer.from(await zip.arrayBuffer()))
  const read = (name: string) => String(files.get(name))
  expect([...files.keys()].sort()).toEqual(['a.pdf', 'b.txt', 'documents.json'])
  expect(read('a.pdf')).toBe('bytes of a.pdf'.repeat(5000))
  expect(read('b.txt')).toBe('bytes of b.txt'.repeat(5000))
  expect(JSON.parse(read('documents.json'))).toMatchObject({
    documents: [
      { file: 'a.pdf', id: 'id0', description: 'd', tags: ['t'], uploadedAt: '2026-11-21T10:00:00.000Z' },
      { file: 'b.txt', id: 'id1' },
    ],
  })
})

test('missing bytes or too large a size abort the archive', async () => {
  const missing = { name: 'a', format: 'text', size: 3 } as LibraryDocument
  const rejectRead = () => Promise.reject(new Error('gone'))
  await expect(zipDocuments([missing], rejectRead, exportedAt)).rejects.toThrow('gone')
  const large = { ...missing, size: 5_000_000_000 }
  await expect(zipDocuments([large], rejectRead, exportedAt)).rejects.toThrow('4 GB')
})
