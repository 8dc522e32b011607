import { expect, test } from 'vitest'
import { ifStill } from './if-still.ts'

test('the setter replaces only the value it started from', () => {
  const [first, second] = [{ id: 'quay' }, { id: 'quay' }]
  const close = ifStill<typeof first | undefined>(first, undefined)
  expect(close(first)).toBeUndefined()
  expect(close(second), 'the dialog opened since').toBe(second)
  expect(ifStill('Ben', '')('Ben')).toBe('')
  expect(ifStill('Ben', '')('Dot'), 'the search typed since').toBe('Dot')
})
