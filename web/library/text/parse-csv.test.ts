import { describe, expect, test } from 'vitest'
import { decodeText } from './decode-text.ts'
import { parseCsv } from './parse-csv.ts'

const lines = (...rows: string[]) => rows.join('\r\n')

describe('the sep= line', () => {
  test.each([
    [
      '\ufeffsep=;\r\nName;Größe\r\nÄpfel;"3;5"\r\n',
      [
        ['Name', 'Größe'],
        ['Äpfel', '3;5'],
      ],
    ],
    ['sep=,\na;b,c\n', [['a;b', 'c']]],
    ['"sep=|"\na|b', [['a', 'b']]],
    ['SEP=\t\na\tb', [['a', 'b']]],
    ['sep=\\t\na\tb', [['a', 'b']]],
    ['sep=:\ra:b', [['a', 'b']]],
  ])('a sep= line of %j is applied and not shown', (text, rows) => expect(parseCsv(text)).toEqual(rows))

  test.each([
    ['sep=', [['sep=']]],
    ['a\nsep=;\nb', [['a'], ['sep=;'], ['b']]],
  ])('a sep= line in %j is text: it is the only line, or not the first', (text, rows) =>
    expect(parseCsv(text)).toEqual(rows),
  )
})

describe('the separator', () => {
  test.each([
    [';', 'decimal commas', lines('a;b', '1,5;2')],
    [';', 'decimal commas without a heading', lines('1,5;2,5', '3,5;4,25', '10,5;6,1')],
    [';', 'one decimal comma in each row', lines('Tag;Wert;Ort', '1;3,5;Kiel', '2;4,5;Kiel', '3;1,5;Bonn')],
    [';', 'a comma in the heading', lines('Name, first;Born, on', 'Ada;1815', 'Ben;1900')],
    [
      ';',
      'dates with a comma, and rows of two lengths',
      lines('May 1, 2023;25.00;Ray;sent;', 'May 2, 2023;4.00;Ida;sent;', 'May 3, 2023;16.00;Ben;'),
    ],
    [';', 'lists in brackets', lines('id;group;sub', "1;['3'];['10']", "2;['1', '2'];['7', '8']", "3;['5'];['9']")],
    [';', 'a title above', lines('Account statement', '', 'Date;Amount;Text', '1.5.;-3,50;Bread', '2.5.;-4,20;Milk')],
    [',', 'semicolons in the text', lines('id,note', '1,"a; b; c; d"', '2,x; y', '3,z')],
    [',', 'pipes in the text', lines('a,b,c', '1,x|y,2', '3,z,4')],
    [',', 'thousands in quotes', lines('what,amount', 'bread,"1,000.50"', 'milk,"2,000.00"')],
    [',', 'one row', 'a,b,c'],
    [',', 'line breaks in quotes', lines('a,b', '"one\ntwo;three;four;five",2', '"x;y;z\n",4')],
    ['\t', 'commas and semicolons in the text', lines('a\tb', 'x, y; z\tu, v', 'm, n\to, p; q')],
    ['|', 'commas in the text', lines('name|born', 'King, Ada|1815', 'Day, Ben|1900')],
    ['^', 'carets', lines('a^b^c', '1^2^3')],
    ['~', 'tildes', lines('a~b', '1~2')],
  ])('is %j with %s', (separator, _name, text) => {
    const rows = parseCsv(text)
    const columnCountWithoutQuotes = text.split('\r\n').at(-1)?.split(separator).length ?? 0
    // The samples with quotes have two columns.
    expect(rows.at(-1)?.length).toBe(text.includes('"') ? 2 : columnCountWithoutQuotes)
  })

  test('is none in a list of words, sentences or times', () => {
    expect(parseCsv('one\ntwo\nthree')).toEqual([['one'], ['two'], ['three']])
    expect(parseCsv('12:30\n13:45')).toEqual([['12:30'], ['13:45']])
  })
  test('is found in UTF-16 with tabs', () => {
    const content = '\ufeffName\tGröße\r\nÄpfel\t"3\t5"\r\n'
    const units = Uint16Array.from(content, (character) => character.charCodeAt(0))
    expect(parseCsv(decodeText(new Uint8Array(units.buffer), 'csv'))).toEqual([
      ['Name', 'Größe'],
      ['Äpfel', '3\t5'],
    ])
  })
  test('is found in Korean text with a UTF-8 byte order mark', () => {
    const text = decodeText(Uint8Array.of(0xef, 0xbb, 0xbf, ...new TextEncoder().encode('이름;값\r\n가;1,5')), 'csv')
    expect(parseCsv(text)[1]).toEqual(['가', '1,5'])
  })
})

describe('quotes', () => {
  test('can follow a space or be apostrophes', () => {
    expect(parseCsv('a, "b, c"\n1, "2, 3"')).toEqual([
      ['a', 'b, c'],
      ['1', '2, 3'],
    ])
    expect(parseCsv("'a, b','c'\n'd','it''s'")).toEqual([
      ['a, b', 'c'],
      ['d', "it's"],
    ])
    expect(parseCsv("don't,can't\n'tis,won't")).toEqual([
      ["don't", "can't"],
      ["'tis", "won't"],
    ])
  })
})
