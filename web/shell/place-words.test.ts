import { expect, it } from 'vitest'
import { placeWords } from './place-words.ts'
import { placesToGo } from './places.ts'
import { arrangeEntries } from './rank-entries.ts'

const entries = placesToGo().map(({ path, to, title }) => ({
  id: to,
  group: 'Go to' as const,
  title,
  also: `${to} ${placeWords[path] ?? ''}`,
  to,
}))
const first = (typed: string) => arrangeEntries(entries, typed, { unfolded: new Set() })[0]?.shown[0]?.entry.to

it('every path with search terms is listed in the palette', () => {
  const paths = placesToGo().map(({ path }) => path)
  expect(Object.keys(placeWords).filter((path) => !paths.includes(path))).toEqual([])
})

it.each([
  ['api usage analytics', '/studio/admin'],
  ['budget', '/studio/admin'],
  ['audit', '/admin/audit'],
  ['intent console', '/studio/kip'],
  ['trash', '/keeper/bin'],
])('typing %s finds %s first', (typed, to) => {
  expect(first(typed)).toBe(to)
})
