import { describe, expect, test } from 'vitest'
import { htmlToText } from '#contract/html-text.ts'
import { extractText, maxTextLength } from './extract-text.ts'
import { parseCsv } from './parse-csv.ts'
import { rtfToText } from './rtf-text.ts'

const bytes = (text: string) => new TextEncoder().encode(text)
const readRtf = (text: string) => rtfToText(bytes(text))

describe('HTML as words', () => {
  test('drops scripts, styles and comments, and separates words', () => {
    const html =
      '<style>p{color:red}</style><h1>Beds</h1><p onclick="steal()">a &amp; <b>b</b>&#8211;&#x63;<!-- hidden --></p><script>steal("x < y")</script ><p>end'
    expect(htmlToText(html).replace(/\s+/g, ' ').trim()).toBe('Beds a & b–c end')
  })
  test('treats stray markup characters as text', () => {
    expect(htmlToText('1 < 2 <3 <a title=">" href=x>link</a> &unknown; &#0; &#99999999;')).toBe(
      '1 < 2 <3 link &unknown; \ufffd \ufffd',
    )
    expect(htmlToText('before <script>never closed')).toBe('before')
  })
  test('reads every XML element and CDATA section', () => {
    const xml = '<?xml version="1.0"?><a><b>one</b><b>two</b><![CDATA[x < y]]></a>'
    expect(htmlToText(xml, { isXml: true }).replace(/\s+/g, ' ').trim()).toBe('one two x < y')
  })
  test.each(['<a', '<a "', "<a '<!--", '<!--', '<script>', '<![CDATA[', '</', '<a b="c'])(
    'a megabyte of %j takes linear time',
    (fragment) => {
      htmlToText(fragment.repeat(Math.ceil(1_000_000 / fragment.length)))
    },
  )
})

describe('Rich Text as words', () => {
  test('reads text, symbols and lines, but no fonts, pictures, objects or field instructions', () => {
    const rtf =
      '{\\rtf1\\ansi{\\fonttbl{\\f0 Arial;}}{\\info{\\author Somebody}}\\f0\\b Dear Ida\\b0 ,\\par caf\\\'e9 \\u8364?10 \\{x\\}{\\pict\\wmetafile8 0102}{\\object{\\objdata 414243}}{\\field{\\*\\fldinst HYPERLINK "https://evil.example"}{\\fldrslt a link}}\\par}'
    expect(readRtf(rtf)).toBe('Dear Ida,\ncafé €10 {x}a link\n')
  })
  test('skips binary data by its length, even a wrong one', () => {
    expect(readRtf('{\\rtf1 a{\\pict\\bin4 }}}}}b}')).toBe('ab')
    expect(readRtf('{\\rtf1 a\\bin999999999 gone}')).toBe('a')
  })
  test('rejects other formats and endless nesting', () => {
    expect(() => readRtf('hello')).toThrow('isn’t Rich Text')
    expect(() => readRtf(`{\\rtf1${'{'.repeat(20_000)}`)).toThrow('nested')
  })
  test('survives unmatched braces and large input', () => {
    expect(readRtf('{\\rtf1 a}}}}b')).toBe('ab')
    for (const fragment of ['\\', "\\'", '\\u9?', '\\bin', '}', 'x'])
      readRtf(`{\\rtf1${fragment.repeat(Math.ceil(1_000_000 / fragment.length))}`)
  })
})

describe('CSV as rows', () => {
  test('quotes can contain separators, line breaks and quotes', () => {
    expect(parseCsv('a,b\r\n"x, ""y""\nz",2\n,\n')).toEqual([
      ['a', 'b'],
      ['x, "y"\nz', '2'],
      ['', ''],
    ])
  })
  test('an unclosed quote ends with the file, and formulas stay text', () => {
    expect(parseCsv('a,"b\nc')).toEqual([['a', 'b\nc']])
    expect(parseCsv('=HYPERLINK("https://evil.example")')).toEqual([['=HYPERLINK("https://evil.example")']])
  })
  test('parsing stops after the requested rows, in linear time', () => {
    expect(parseCsv('a\nb\nc', 2)).toEqual([['a'], ['b']])
    for (const fragment of ['"', '""', 'a"', ',', '\n']) parseCsv(fragment.repeat(500_000))
  })
})

describe('the extracted text', () => {
  const noPdf = () => Promise.reject(new Error('the PDF reader was called'))
  test('has single spaces, no markup and a maximum length', async () => {
    expect(await extractText(new Blob(['a\n\n  b\t']), 'text', noPdf)).toBe('a b')
    expect(await extractText(new Blob(['x'.repeat(maxTextLength + 5)]), 'markdown', noPdf)).toHaveLength(maxTextLength)
    expect(await extractText(new Blob(['<p>a</p><p>b</p>']), 'html', noPdf)).toBe('a b')
    expect(await extractText(new Blob(['Größe'.normalize('NFD')]), 'text', noPdf)).toBe('Größe'.normalize('NFC'))
    expect(await extractText(new Blob(['# A\n- light**house**']), 'markdown', noPdf)).toBe('A lighthouse')
    expect(await extractText(new Blob(['# A\n- light**house**']), 'text', noPdf)).toBe('# A - light**house**')
  })
  test('uses the PDF reader for PDFs only', async () => {
    expect(await extractText(new Blob(['%PDF']), 'pdf', async (content) => `${content.length} read`)).toBe('4 read')
    await expect(extractText(new Blob(['%PDF']), 'pdf', noPdf)).rejects.toThrow('the PDF reader was called')
  })
})
