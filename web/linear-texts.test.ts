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
  it('for addresses in a list', () =>
    checkTexts(['a', '@', '<', '>', ' ', ',', ';', '\n', 'b.c'], (text) =>
      expect(parseEmails(text)).toEqual(
        text
          .replace(/[^,;\n<>]*<([^<>\s]+)>/g, ' $1 ')
          .split(/[\s,;]+/)
          .filter(Boolean),
      ),
    ))

  it('for an email', () =>
    checkTexts(['a', '@', ' ', '.'], (text) =>
      expect(getEmailProblem(`a${text}b`) === undefined).toBe(/^\S+@\S+$/.test(`a${text}b`)),
    ))

  it('for agent names', () =>
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

  it('for links read aloud', () =>
    checkTexts(['a', '[', ']', '(', ')', '!', '](', ' '], (text) =>
      expect(toSpokenText(text)).toBe(
        text
          .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
          .replace(/\s+/g, ' ')
          .trim(),
      ),
    ))

  it('for page addresses', () =>
    checkTexts(['/', 'library'], (text) =>
      expect(findPageRoute(text)).toEqual(findPageRoute(text.replace(/(.)\/+$/, '$1'))),
    ))

  it('for the tags of a page', () => {
    const signs = ['<', '>', '<b', '</b>', '<x ', '"', "'", '!', '<!--', '-->', '<?', '=', ' ', 'z', '\n']
    checkTexts(signs, (text) => {
      const clean = cleanPage(text).html
      expect(clean.replace(/<\/?b>/g, '')).not.toContain('<')
      expect(cleanPage(clean).html).toBe(clean)
    })
  })
})
