import { expect, test } from 'vitest'
import { replaceIfUnchanged } from './replace-if-unchanged.ts'

test('the setter replaces only the value it started from', () => {
  const [first, second] = [{ id: 'quay' }, { id: 'quay' }]
  const close = replaceIfUnchanged<typeof first | undefined>(first, undefined)
  expect(close(first)).toBeUndefined()
  expect(close(second), 'the dialog opened since').toBe(second)
  expect(replaceIfUnchanged('Ben', '')('Ben')).toBe('')
  expect(replaceIfUnchanged('Ben', '')('Dot'), 'the search typed since').toBe('Dot')
})
