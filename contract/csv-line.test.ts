import { expect, it } from 'vitest'
import { formatCsvLine } from './csv-line.ts'

it('values are separated by commas and quoted only where necessary', () => {
  expect(formatCsvLine(['a', 'b c', 1.5, -2, true, null, ''])).toBe('a,b c,1.5,-2,true,,\r\n')
  expect(formatCsvLine(['a,b', 'say "yes"', 'two\nlines', 'cr\rlf'])).toBe(
    '"a,b","say ""yes""","two\nlines","cr\rlf"\r\n',
  )
})

it.each(['=1+1', '+1', '-1', '@sum(a1)', '\t=1', '\r=1', '\n=1', ' =1', '\0=1', '＝1', '=HYPERLINK("http://x.y","z")'])(
  'the text %j is not a formula in a spreadsheet',
  (text) => {
    expect(formatCsvLine([text]).replace(/^"/, '')).toMatch(/^'/)
  },
)

it('ordinary text and numbers get no apostrophe', () => {
  expect(formatCsvLine(['a=b', 'x-y', -1])).toBe('a=b,x-y,-1\r\n')
})
