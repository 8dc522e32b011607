import { describe, expect, test } from 'vitest'
import { acceptFile, sizeLimitBytes, tooLargeText, unsupportedText } from './accept-file.ts'
import { readFileKind } from './file-kind.ts'

const bytes = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0))
const heads = {
  pdf: '%PDF-1.7\n',
  rtf: '{\\rtf1\\ansi From Word\\par}',
  html: '<!DOCTYPE html><p>hi</p>',
  xml: '<?xml version="1.0"?><a/>',
  text: 'a,b\n1,2\n',
  png: '\x89PNG\r\n\x1a\n\0\0\0\rIHDR',
  zip: 'PK\x03\x04\x14\0\x06\0',
  ole: '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\0\0',
  exe: 'MZ\x90\0\x03\0\0\0\x04',
  mp4: '\0\0\0\x20ftypisom',
}
const file = (name: string, type: string, head: keyof typeof heads = 'text', size = 10) =>
  acceptFile({ name, type, size }, readFileKind(bytes(heads[head])))

describe('accepting a file', () => {
  test.each([
    ['a.pdf', 'application/pdf', 'pdf', 'pdf', 'pdf'],
    ['a.json', 'application/json', 'text', 'json', 'json'],
    ['a.md', 'text/markdown', 'text', 'markdown', 'markdown'],
    ['a.txt', 'text/plain;charset=utf-8', 'text', 'text', 'text'],
    ['a.html', 'text/html', 'html', 'other', 'html'],
    ['a.xml', 'application/xml', 'xml', 'other', 'xml'],
    ['a.xml', 'text/xml', 'xml', 'other', 'xml'],
    ['a.csv', 'text/csv', 'text', 'other', 'csv'],
    ['a.rtf', 'application/rtf', 'rtf', 'other', 'rtf'],
    ['a.rtf', 'text/rtf', 'rtf', 'other', 'rtf'],
    ['no extension', 'application/pdf', 'pdf', 'pdf', 'pdf'],
  ] as const)('%s of %s is %s', (name, mime, head, type, format) =>
    expect(file(name, mime, head)).toEqual({ type, format }),
  )

  test.each([
    ['notes.md', '', 'text', 'markdown'],
    ['NOTES.MD', 'text/plain', 'text', 'markdown'],
    ['letter.rtf', '', 'rtf', 'rtf'],
    ['word.rtf', 'application/msword', 'rtf', 'rtf'],
    ['word.doc', 'application/msword', 'rtf', 'rtf'],
    ['letter.rtf', 'application/rtf', 'text', 'text'],
    ['table.csv', 'application/vnd.ms-excel', 'text', 'csv'],
    ['table.xls', 'application/vnd.ms-excel', 'text', 'csv'],
    ['report.xls', 'application/vnd.ms-excel', 'html', 'html'],
    ['table.tsv', 'text/tab-separated-values', 'text', 'csv'],
    ['deed.pdf', 'application/octet-stream', 'pdf', 'pdf'],
    ['deed.pdf', 'image/png', 'pdf', 'pdf'],
    ['deed', '', 'pdf', 'pdf'],
    ['deed.txt', 'text/plain', 'pdf', 'pdf'],
    ['sign-in.pdf', 'application/pdf', 'html', 'html'],
    ['damaged.pdf', 'application/pdf', 'text', 'pdf'],
    ['damaged.pdf', 'application/pdf', 'exe', 'pdf'],
    ['feed', 'application/rss+xml', 'xml', 'xml'],
    ['page', '', 'html', 'html'],
    ['source.txt', 'text/plain', 'html', 'text'],
    ['README', '', 'text', 'text'],
    ['settings.yaml', 'application/octet-stream', 'text', 'text'],
    ['a.txt', 'toString', 'text', 'text'],
    ['a.constructor', '', 'text', 'text'],
  ] as const)('%s reported as "%s" with the bytes of %s is %s', (name, mime, head, format) =>
    expect(file(name, mime, head)).toMatchObject({ format }),
  )

  test.each([
    ['a.exe', 'application/x-msdownload', 'text', undefined],
    ['a.svg', 'image/svg+xml', 'xml', undefined],
    ['a.exe', '', 'exe', /no text/],
    ['a.txt', 'text/plain', 'exe', /no text/],
    ['a.pdf', 'application/pdf', 'png', /picture/],
    ['a.txt', 'text/plain', 'png', /picture/],
    ['film.mp4', 'video/mp4', 'mp4', /recording/],
    ['a.xls', 'application/vnd.ms-excel', 'ole', /CSV or PDF/],
    ['a.csv', 'text/csv', 'zip', /Extract/],
    ['a.xlsx', '', 'zip', /CSV or PDF/],
    ['a.doc', 'application/msword', 'ole', /PDF or Rich Text/],
    ['a.docx', '', 'zip', /PDF or Rich Text/],
    ['a.rtf', 'application/rtf', 'zip', /Extract/],
    ['a.zip', 'application/zip', 'zip', /Extract/],
  ] as const)('%s of "%s" with the bytes of %s is refused', (name, mime, head, remedy) =>
    expect(file(name, mime, head)).toEqual({
      refusal: unsupportedText,
      remedy: remedy && expect.stringMatching(remedy),
    }),
  )

  test('text in UTF-16 and old encodings is text', () => {
    for (const head of ['\xff\xfea\0;\0b\0', 'a\0;\0b\0', 'caf\xe9;b', '\xd6\xd0\xce\xc4,\xd6\xd0'])
      expect(acceptFile({ name: 'a.csv', type: 'text/csv', size: 10 }, readFileKind(bytes(head)))).toMatchObject({
        format: 'csv',
      })
  })

  test('fifty megabytes are accepted, one byte more is not', () => {
    expect(file('a.pdf', 'application/pdf', 'pdf', sizeLimitBytes)).toHaveProperty('type')
    expect(file('a.pdf', 'application/pdf', 'pdf', sizeLimitBytes + 1)).toEqual({ refusal: tooLargeText })
    expect(file('a.exe', '', 'exe', sizeLimitBytes + 1)).toEqual({ refusal: tooLargeText })
  })

  test('an empty file is refused by name', () => {
    expect(acceptFile({ name: 'a.pdf', type: 'application/pdf', size: 0 }, readFileKind(bytes('')))).toEqual({
      refusal: 'a.pdf is empty. Choose a file with something in it.',
    })
    expect(acceptFile({ name: 'a.exe', type: 'application/x-msdownload', size: 0 }, readFileKind(bytes('')))).toEqual({
      refusal: unsupportedText,
      remedy: undefined,
    })
  })
})
