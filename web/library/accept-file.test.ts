import { describe, expect, test } from 'vitest'
import { acceptFile, sizeLimitBytes, tooLargeText, unsupportedText } from './accept-file.ts'

const file = (name: string, type: string, size = 10) => acceptFile({ name, type, size })

describe('accepting a file', () => {
  test.each([
    ['a.pdf', 'application/pdf', 'pdf', 'pdf'],
    ['a.json', 'application/json', 'json', 'json'],
    ['a.md', 'text/markdown', 'markdown', 'markdown'],
    ['a.txt', 'text/plain;charset=utf-8', 'text', 'text'],
    ['a.html', 'text/html', 'other', 'html'],
    ['a.xml', 'application/xml', 'other', 'xml'],
    ['a.xml', 'text/xml', 'other', 'xml'],
    ['a.csv', 'text/csv', 'other', 'csv'],
    ['a.rtf', 'application/rtf', 'other', 'rtf'],
    ['a.rtf', 'text/rtf', 'other', 'rtf'],
    ['no ending', 'application/pdf', 'pdf', 'pdf'],
  ])('%s of %s is %s', (name, mime, type, format) => expect(file(name, mime)).toEqual({ type, format }))

  test.each([
    ['notes.md', '', 'markdown'],
    ['NOTES.MD', 'text/plain', 'markdown'],
    ['letter.rtf', '', 'rtf'],
    ['table.csv', 'application/vnd.ms-excel', 'csv'],
    ['deed.pdf', 'application/octet-stream', 'pdf'],
  ])('%s reported as "%s" is accepted by its extension', (name, mime, format) =>
    expect(file(name, mime)).toMatchObject({ format }),
  )

  test.each([
    ['a.exe', 'application/x-msdownload'],
    ['a.svg', 'image/svg+xml'],
    ['a.pdf', 'image/png'],
    ['a.xls', 'application/vnd.ms-excel'],
    ['a', ''],
    ['a.constructor', ''],
    ['a.txt', 'toString'],
  ])('%s of "%s" is refused as unsupported', (name, mime) =>
    expect(file(name, mime)).toEqual({ refusal: unsupportedText }),
  )

  test('fifty megabytes are accepted, one byte more is not', () => {
    expect(file('a.pdf', 'application/pdf', sizeLimitBytes)).toHaveProperty('type')
    expect(file('a.pdf', 'application/pdf', sizeLimitBytes + 1)).toEqual({ refusal: tooLargeText })
    expect(file('a.exe', '', sizeLimitBytes + 1)).toEqual({ refusal: tooLargeText })
  })

  test('an empty file is refused by name', () => {
    expect(file('a.pdf', 'application/pdf', 1)).toHaveProperty('type')
    expect(file('a.pdf', 'application/pdf', 0)).toEqual({
      refusal: 'a.pdf is empty. Choose a file with something in it.',
    })
    expect(file('a.exe', '', 0)).toEqual({ refusal: unsupportedText })
  })
})
