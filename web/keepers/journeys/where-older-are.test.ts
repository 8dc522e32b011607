import { expect, it } from 'vitest'
import { whereOlderAre } from './journey-queries.ts'

it('the hint below the newest moments says how to find older ones', () => {
  expect(whereOlderAre(49, '')).toBeUndefined()
  expect(whereOlderAre(undefined, 'quay')).toBeUndefined()
  expect(whereOlderAre(50, '')).toBe('These are the newest 50. Search for an older one.')
  expect(whereOlderAre(50, 'quay')).toBe('These are the newest 50 with these words. Add a word to find an older one.')
})
