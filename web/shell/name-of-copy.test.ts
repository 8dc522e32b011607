import { expect, it } from 'vitest'
import { nameOfCopy } from './name-of-copy.ts'

it('numbers a copy where one of that name is there, in whatever case', () => {
  expect(nameOfCopy('Harbour', ['Harbour'])).toBe('Copy of Harbour')
  expect(nameOfCopy('Harbour', ['copy of harbour', 'Copy of Harbour 2'])).toBe('Copy of Harbour 3')
})

it('finds a name beside copies of a name as long as a name may be', () => {
  const name = 'x'.repeat(80)
  const first = nameOfCopy(name, [name])
  const second = nameOfCopy(name, [name, first])
  expect([first, second].map(({ length }) => length)).toEqual([80, 80])
  expect(second).toMatch(/x 2$/)
})
