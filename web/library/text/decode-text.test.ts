import { describe, expect, test } from 'vitest'
import type { DocumentFormat } from '../documents.ts'
import { decodeText } from './decode-text.ts'
import { extractText } from './extract-text.ts'
import { readDocumentText } from './read-document.ts'
import { findDecoder } from './text-encodings.ts'

/** `[cf f0]` stands for these bytes, everything else for ASCII. */
const bytes = (text: string) =>
  Uint8Array.from(
    text.split(/(\[[\da-f ]+\])/).flatMap((part) => {
      const hexadecimal = /^\[([\da-f ]+)\]$/.exec(part)?.[1]
      return hexadecimal
        ? hexadecimal.split(' ').map((byte) => Number.parseInt(byte, 16))
        : [...new TextEncoder().encode(part)]
    }),
  )
const search = (content: string, format: Exclude<DocumentFormat, 'pdf'>) =>
  extractText(new Blob([bytes(content)]), format, () => Promise.reject(new Error('not asked')))

describe('the encoding of a text', () => {
  test.each([
    ['[ef bb bf]Ł', 'Ł'],
    ['[ff fe 41 00]', 'A'],
    ['[fe ff 00 41]', 'A'],
    ['[41 00 3b 00 0d 01 0a 00]', 'A;č\n'],
    ['[00 41 00 3b 01 0d 00 0a]', 'A;č\n'],
    ['caf[e9]', 'café'],
    ['Łódź', 'Łódź'],
    ['Łódź, Kraków, Gdańsk [c5]', 'Łódź, Kraków, Gdańsk \ufffd'],
    ['za[c5]', 'zaÅ'],
    ['[1b 24 42 46 7c 4b 5c 1b 28 42]', '日本'],
  ])('the encoding of %s makes it %s', (content, text) => expect(decodeText(bytes(content))).toBe(text))

  test.each(['[50 00 01]', 'PNG[00 00 00 0d]IHDR[00 10]', '[00]a[00 00]', '[01 00 02 00]'])(
    '%s is no text',
    (content) => expect(() => decodeText(bytes(content))).toThrow('isn’t text'),
  )
})

const html = (declaration: string, content: string) =>
  `<html><head>${declaration}</head><body><p>${content}</p></body></html>`

describe('an encoding that a file declares', () => {
  test.each<[string, Exclude<DocumentFormat, 'pdf'>, string]>([
    [
      html('<meta http-equiv="Content-Type" content="text/html; charset=windows-1251">', '[cf f0 e8 e2 e5 f2]'),
      'html',
      'Привет',
    ],
    ['<meta charset="shift_jis"><p>[93 fa 96 7b]</p>', 'html', '日本'],
    [html('<META CONTENT=text/html;charset=koi8-r HTTP-EQUIV=Content-Type>', '[f0 d2 c9 d7 c5 d4]'), 'html', 'Привет'],
    [html("<meta charset = 'gbk' />", '[d6 d0 ce c4]'), 'html', '中文'],
    [html('<meta charset=gb2312>', '[d6 d0 ce c4]'), 'html', '中文'],
    [html('<meta http-equiv=content-type content="charset=gbk">', '[bc d2 be d3]'), 'html', '家居'],
    [html('<meta charset=gbk>', '学生向けプログラミング'), 'html', '学生向けプログラミング'],
    [html('<meta charset=big5>', '[a4 a4 a4 e5]'), 'html', '中文'],
    [html('<meta charset=euc-jp>', '[c6 fc cb dc]'), 'html', '日本'],
    [html('<meta charset=ks_c_5601-1987>', '[c7 d1 b1 db]'), 'html', '한글'],
    [html('<meta charset=iso-8859-2>', 'Za[bf f3 b3 e6]'), 'html', 'Zażółć'],
    [html('<meta charset=cp850>', 'caf[82]'), 'html', 'café'],
    [html('<meta charset=x-mac-greek>', '[e1]'), 'html', 'α'],
    [html('<meta charset=cp949>', '[c7 d1 b1 db]'), 'html', '한글'],
    [html('<meta charset=utf-8>', 'caf[e9]'), 'html', 'café'],
    [html('<meta charset=utf-16>', 'Łódź'), 'html', 'Łódź'],
    [html('<meta charset=no-such>', 'caf[e9]'), 'html', 'café'],
    [html('<meta charset=iso-2022-kr>', 'cafe'), 'html', 'cafe'],
    [html('<meta name="description" content="how to write charset=koi8-r">', 'caf[e9]'), 'html', 'café'],
    [html('<!-- <meta charset=koi8-r> --><script>"<meta charset=koi8-r>"</script>', 'caf[e9]'), 'html', 'café'],
    [`${html('', 'caf[e9]')}`, 'html', 'café'],
    ['[ef bb bf]<meta charset=koi8-r><p>Łódź</p>', 'html', 'Łódź'],
    ['<?xml version="1.0" encoding="koi8-r"?><a>[f0 d2 c9 d7 c5 d4]</a>', 'xml', 'Привет'],
    ["<?xml version='1.0' encoding='EUC-KR' standalone='yes'?><a>[c7 d1 b1 db]</a>", 'xml', '한글'],
    ['<?xml version="1.0" encoding="iso-8859-7"?><html><body><p>[c1 e8 de ed e1]</p></body></html>', 'html', 'Αθήνα'],
    [
      '[3c 00 3f 00 78 00 6d 00 6c 00 20 00 65 00 6e 00 63 00 6f 00 64 00 69 00 6e 00 67 00 3d 00 22 00 55 00 54 00 46 00 2d 00 31 00 36 00 22 00 3f 00 3e 00 3c 00 61 00 3e 00 41 01 3c 00 2f 00 61 00 3e 00]',
      'xml',
      'Ł',
    ],
  ])('%s as %s is shown and found as %s', async (content, format, text) => {
    expect(readDocumentText(bytes(content), format)).toContain(text)
    expect(await search(content, format)).toContain(text)
  })

  test('counts in HTML and XML only', () =>
    expect(decodeText(bytes('<meta charset=koi8-r> caf[e9]'), 'markdown')).toContain('café'))

  test('can be any that browsers know, and the code pages of DOS and Mac', () => {
    const standardLabels =
      'utf-8 ibm866 iso-8859-2 iso-8859-3 iso-8859-4 iso-8859-5 iso-8859-6 iso-8859-7 iso-8859-8 iso-8859-8-i iso-8859-10 iso-8859-13 iso-8859-14 iso-8859-15 iso-8859-16 koi8-r koi8-u macintosh windows-874 windows-1250 windows-1251 windows-1252 windows-1253 windows-1254 windows-1255 windows-1256 windows-1257 windows-1258 x-mac-cyrillic gbk gb18030 big5 euc-jp iso-2022-jp shift_jis euc-kr utf-16be utf-16le'
    const others = 'cp437 ibm850 cp-852 dos-862 ms932 cp932 windows-936 cp949 cp950 cp1251 x-mac-turkish cp65001'
    const missing = `${standardLabels} ${others}`.split(' ').filter((label) => !findDecoder(label))
    expect(missing).toEqual([])
  })
})

describe('HTML letters by name', () => {
  test('are found as they are shown', async () => {
    const page =
      '<p>Espa&ntilde;a, M&oacute;nica, &aacute;rbol, &Oslash;stersund, na&iuml;ve &alpha;&rarr;&hearts; &NotEqualTilde; &lt;b&gt;</p>'
    expect(await search(page, 'html')).toBe('España, Mónica, árbol, Østersund, naïve α→♥ ≂̸ <b>')
  })
  test('can miss their semicolon, and control codes mean Windows-1252', async () => {
    expect(
      await search('<p>caf&eacute &copy2020 &#146;n &#8364 &eacutet&eacute; &unknown &unknown; &#xe9;</p>', 'html'),
    ).toBe('café ©2020 ’n € été &unknown &unknown; é')
  })
})
