import { describe, expect, it } from 'vitest'
import { longText } from '#tests/long-text.ts'
import { foldedWords, wordsOfCard } from './card-words.ts'
import { snippetOf } from './snippet.ts'

describe('card words', () => {
  it('cover the whole text, read in chunks', () => {
    const content = `Über ${longText(90_000)}\nCafé 漢字 ${longText(60_000, 2)}`
    expect(wordsOfCard({ topic: 'Bücher', content })).toBe(foldedWords(`Bücher ${content}`).join(' '))
  })

  it('stay within their limit when one character becomes eighteen', () => {
    const words = wordsOfCard({ topic: null, content: '\uFDFA '.repeat(100_000) })
    expect(words.length).toBeLessThanOrEqual(200_000)
    expect(words.length).toBeGreaterThan(199_900)
  })
})

describe('the snippet of a text', () => {
  it('stays short when every word matches', () => {
    const text = 'alpha beta '.repeat(40_000)
    const snippet = snippetOf(text, 'alpha beta')
    expect(snippet?.snippet.length).toBeLessThan(230)
    expect(snippet?.marks.slice(0, 2)).toEqual([
      [0, 5],
      [6, 10],
    ])
    expect(snippet?.marks.length).toBeGreaterThan(35)
    expect(snippet?.marks.length).toBeLessThan(60)
  })
})
