import { expect, it } from 'vitest'
import { nameOfCopy } from './name-of-copy.ts'

it('a copy gets a number when its name is taken in any case', () => {
  expect(nameOfCopy('Harbour', ['Harbour'])).toBe('Copy of Harbour')
  expect(nameOfCopy('Harbour', ['copy of harbour', 'Copy of Harbour 2'])).toBe('Copy of Harbour 3')
})

it('copies of a name of maximum length still get unique names', () => {
  const name = 'x'.repeat(80)
  const first = nameOfCopy(name, [name])
  const second = nameOfCopy(name, [name, first])
  expect([first, second].map(({ length }) => length)).toEqual([80, 80])
  expect(second).toMatch(/x 2$/)
})
