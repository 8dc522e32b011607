import { expect, it } from 'vitest'
import { getCopyName } from './use-catalog.tsx'

it('a copy gets a number when its name is taken in any case', () => {
  expect(getCopyName('Harbour', ['Harbour'])).toBe('Copy of Harbour')
  expect(getCopyName('Harbour', ['copy of harbour', 'Copy of Harbour 2'])).toBe('Copy of Harbour 3')
})

it('copies of a name of maximum length still get unique names', () => {
  const name = 'x'.repeat(80)
  const first = getCopyName(name, [name])
  const second = getCopyName(name, [name, first])
  expect([first, second].map(({ length }) => length)).toEqual([80, 80])
  expect(second).toMatch(/x 2$/)
})
