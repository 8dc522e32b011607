import { expect, it } from 'vitest'
import { getOlderMomentsHint } from './journey-queries.ts'

it('the hint below the newest moments says how to find older ones', () => {
  expect(getOlderMomentsHint(49, '')).toBeUndefined()
  expect(getOlderMomentsHint(undefined, 'quay')).toBeUndefined()
  expect(getOlderMomentsHint(50, '')).toBe('Showing the newest 50. Search to find older moments.')
  expect(getOlderMomentsHint(50, 'quay')).toBe(
    'Showing the newest 50 with these words. Add a word to find older moments.',
  )
})
