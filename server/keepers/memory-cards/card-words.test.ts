import { describe, expect, it } from 'vitest'
import { createIncompressibleText } from '#tests/long-text.ts'
import { getCardWords, toNormalizedWords } from './card-words.ts'
import { createSnippet } from './search-cards.ts'

describe('card words', () => {
  it('cover the whole text, read in chunks', () => {
    const content = `Über ${createIncompressibleText(90_000)}\nCafé 漢字 ${createIncompressibleText(60_000, 2)}`
    expect(getCardWords({ topic: 'Bücher', content })).toBe(toNormalizedWords(`Bücher ${content}`).join(' '))
  })

  it('stay within their limit when one character becomes eighteen', () => {
    const cardWords = getCardWords({ topic: null, content: '\uFDFA '.repeat(100_000) })
    expect(cardWords.length).toBeLessThanOrEqual(200_000)
    expect(cardWords.length).toBeGreaterThan(199_900)
  })
})

describe('the snippet of a text', () => {
  it('stays short when every word matches', () => {
    const text = 'alpha beta '.repeat(40_000)
    const snippet = createSnippet(text, 'alpha beta')
    expect(snippet?.snippet.length).toBeLessThan(230)
    expect(snippet?.marks.slice(0, 2)).toEqual([
      [0, 5],
      [6, 10],
    ])
    expect(snippet?.marks.length).toBeGreaterThan(35)
    expect(snippet?.marks.length).toBeLessThan(60)
  })
})
