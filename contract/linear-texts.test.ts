import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { splitSentences } from './keepers/sole-statements.ts'
import { joinLines, trimEndMatching } from './linear-text.ts'
import { stripMarkdown } from './plain-text.ts'

const signs = [...' \t\n\r\u2028\u00a0aB.!"\'`*_()[<>,-', '``', '](']
const texts = fc.array(fc.constantFrom(...signs), { maxLength: 24 }).map((parts) => parts.join(''))
const checkTexts = (check: (text: string) => void) =>
  fc.assert(
    fc.property(texts, (text) => {
      check(text)
    }),
    { numRuns: 3000 },
  )

describe('single-pass text functions give the results of the quadratic ones they replace', () => {
  it('joined lines', () => checkTexts((text) => expect(joinLines(text, '·')).toBe(text.replace(/\s*\n\s*/g, '·'))))

  it('trimmed trailing characters', () =>
    checkTexts((text) => expect(trimEndMatching(text, /[.\s]/)).toBe(text.replace(/[.\s]+$/, ''))))

  it('sentences, each line segmented on its own', () => {
    const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' })
    const byLine = (text: string) =>
      text
        .split('\n')
        .flatMap((line) => [...segmenter.segment(line)].map(({ segment }) => segment.trim()))
        .filter((sentence) => /[\p{L}\p{N}]/u.test(sentence))
    checkTexts((text) => expect(splitSentences(text)).toEqual(byLine(text)))
  })

  it('link ends match the quadratic pattern', () => {
    const end = /\](?:\(\s*(?:<[^<>\n]*>|(?:[^()\s]|\([^()\s]*\))*)(?:\s+(?:"[^"]*"|'[^']*'))?\s*\)|\([^()\s]*$)?/
    checkTexts((text) => {
      const link = `[a](${text.replace(/[^ \ta."'()]/g, '')}`
      const [whole = ''] = end.exec(link) ?? []
      expect(stripMarkdown(link).text).toBe(whole === ']' ? link : `a${link.slice(2 + whole.length)}`)
    })
  })
})
