import fc from 'fast-check'
import { expect, it } from 'vitest'
import { normalizeSearchText } from '#contract/search/normalize-search-text.ts'
import { getGrams, getQueryGrams, toFirstPosition, toPosition, toTokenQuery, toTokens } from './grams.ts'

const characters = [...'abcdeXYZ019 _%-\'"\n', 'é', 'ß', '海', '東', 'か', 'ท', 'ะ', '한', '🙂', '👩‍🚀', '“', '…', 'ﬁ']
const textArbitrary = fc.array(fc.constantFrom(...characters), { maxLength: 24 }).map((parts) => parts.join(''))

it('all query grams of a substring are grams of the text', () => {
  fc.assert(
    fc.property(textArbitrary, textArbitrary, textArbitrary, (before, part, after) => {
      const term = normalizeSearchText(part).trim()
      const grams = getGrams(normalizeSearchText(`${before}${part}${after}`))
      // Normalization can merge characters where the parts meet; then the text doesn't contain the term, so skip the case.
      fc.pre(term !== '' && normalizeSearchText(`${before}${part}${after}`).includes(term))
      for (const gram of getQueryGrams(term).flat()) expect(grams.has(gram), term).toBe(true)
      expect(getQueryGrams(term).flat().length).toBeGreaterThan(0)
    }),
    { numRuns: 2000 },
  )
})

it('tokens contain no character that an index treats as syntax', () => {
  const grams = [0, -1, 2 ** 31 - 1, -(2 ** 31), 12_345]
  expect(toTokens(grams)).toMatch(/^([\u4e00-\u8dff]{2} ?){5}$/)
  expect(toTokenQuery([0])).toBe('"\u4e00\u4e00"')
})

it('positions are safe integers in time order, and retries yield different positions', () => {
  const times = [Date.parse('0001-01-01'), -1, 0, Date.parse('2026-11-20T08:00:00Z'), Date.parse('9999-12-31')]
  const positions = times.map((at) => toPosition(at, 'id', 0))
  expect(positions.toSorted((one, other) => one - other)).toEqual(positions)
  expect(positions.every(Number.isSafeInteger)).toBe(true)
  const attempts = new Set(Array.from({ length: 20 }, (_, attempt) => toPosition(0, 'id', attempt)))
  expect(attempts.size).toBeGreaterThan(10)
  expect(toFirstPosition(1000)).toBeGreaterThan(toPosition(999, 'other', 0))
})
