import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { getEmailProblem } from './accounts/check-account.ts'
import { toSpokenText } from './agents/chat/read-aloud.ts'
import { parseBundle } from './agents/form/name-list.ts'
import { parseEmails } from './domains/invitations/email-list.ts'
import { findPageRoute } from './page/page-routes.ts'
import { cleanPage } from './ui/text/clean-page.ts'

const checkTexts = (signs: readonly string[], check: (text: string) => void) =>
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom(...signs), { maxLength: 20 }).map((parts) => parts.join('')),
      (text) => {
        check(text)
      },
    ),
    { numRuns: 3000 },
  )

describe('one pass over a text matches the shorter, quadratic pattern', () => {
  it('addresses in a list match the quadratic pattern', () =>
    checkTexts(['a', '@', '<', '>', ' ', ',', ';', '\n', 'b.c'], (text) =>
      expect(parseEmails(text)).toEqual(
        text
          .replace(/[^,;\n<>]*<([^<>\s]+)>/g, ' $1 ')
          .split(/[\s,;]+/)
          .filter(Boolean),
      ),
    ))

  it('email addresses match the quadratic pattern', () =>
    checkTexts(['a', '@', ' ', '.'], (text) =>
      expect(getEmailProblem(`a${text}b`) === undefined).toBe(/^\S+@\S+$/.test(`a${text}b`)),
    ))

  it('agent names match the quadratic pattern', () =>
    checkTexts(['a', '@', '"', "'", '`', ' '], (text) =>
      expect(parseBundle(text)).toEqual([
        ...new Set(
          text
            .split(/[\s,;]+/)
            .map((slug) => slug.replace(/^[@"'`]+|["'`]+$/g, ''))
            .filter(Boolean),
        ),
      ]),
    ))

  it('links read aloud match the quadratic pattern', () =>
    checkTexts(['a', '[', ']', '(', ')', '!', '](', ' '], (text) =>
      expect(toSpokenText(text)).toBe(
        text
          .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
          .replace(/\s+/g, ' ')
          .trim(),
      ),
    ))

  it('page addresses match the quadratic pattern', () =>
    checkTexts(['/', 'library'], (text) =>
      expect(findPageRoute(text)).toEqual(findPageRoute(text.replace(/(.)\/+$/, '$1'))),
    ))

  it('the tags of a page match the quadratic pattern', () => {
    const signs = ['<', '>', '<b', '</b>', '<x ', '"', "'", '!', '<!--', '-->', '<?', '=', ' ', 'z', '\n']
    checkTexts(signs, (text) => {
      const clean = cleanPage(text).html
      expect(clean.replace(/<\/?b>/g, '')).not.toContain('<')
      expect(cleanPage(clean).html).toBe(clean)
    })
  })
})
