import { expect, test } from 'vitest'
import { ifStill } from './if-still.ts'

test('what is over takes away only what it was about', () => {
  const [first, second] = [{ id: 'quay' }, { id: 'quay' }]
  const close = ifStill<typeof first | undefined>(first, undefined)
  expect(close(first)).toBeUndefined()
  expect(close(second), 'the dialog that was opened meanwhile').toBe(second)
  expect(ifStill('Ben', '')('Ben')).toBe('')
  expect(ifStill('Ben', '')('Dot'), 'the search that was typed meanwhile').toBe('Dot')
})
