import { assert, property, string, stringMatching } from 'fast-check'
import { expect, it } from 'vitest'
import { getSlugProblem, reservedSlugs, toSlug } from './agent-slug.ts'

it.each([
  ['Harbour Keeper', 'harbour-keeper'],
  ['  Evening   Round  ', 'evening-round'],
  ['Crème Brûlée', 'creme-brulee'],
  ['a - b -- c', 'a-b-c'],
  ['R&D (2026)', 'rd-2026'],
  ['ΚΑΛΗΜΕΡΑ', ''],
  ['🤖', ''],
])('the name %j becomes the slug %j', (name, slug) => {
  expect(toSlug(name)).toBe(slug)
})

it('a slug created from any name is usable, reserved or empty', () => {
  const isValidOrReserved = (name: string) => {
    const slug = toSlug(name)
    return slug === '' || reservedSlugs.has(slug) || slug.startsWith('built-in') || getSlugProblem(slug) === undefined
  }
  assert(property(string({ unit: 'binary', maxLength: 200 }), isValidOrReserved), { numRuns: 2000 })
  assert(property(stringMatching(/^[a-zA-Z0-9_ -]{0,150}$/), isValidOrReserved), { numRuns: 2000 })
})

it('creating a slug from a slug changes nothing', () => {
  assert(property(string({ unit: 'grapheme', maxLength: 100 }), (name) => toSlug(toSlug(name)) === toSlug(name)))
})

it.each([
  'Login',
  'l\u03BFgin',
  'a--b',
  '-a',
  'a-',
  '--',
  '.well-known',
  'a_b',
  'a b',
  'ä',
  '',
  'x'.repeat(64),
  'x'.repeat(300),
  'a\u0000',
  'a\n',
  '0123456789abcdef0123456789abcdef',
  'built-in-kip',
])('the slug %j is refused', (slug) => {
  expect(getSlugProblem(slug)).toEqual(expect.any(String))
})

it.each(['a', '0', 'a-b', 'x'.repeat(63), 'login2'])('the slug %j is accepted', (slug) => {
  expect(getSlugProblem(slug)).toBeUndefined()
})

it('app path segments and slugs of built-in Leads are reserved', () => {
  const segments = 'root studio board-studio admin library keeper login register debug board-demo kip ceox api assets'
  for (const segment of segments.split(' ')) expect(getSlugProblem(segment)).toContain('reserved by Keeper')
})
