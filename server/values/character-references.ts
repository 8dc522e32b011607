import { decodeNamedCharacterReference } from 'decode-named-character-reference'
import { toPlainText } from '#contract/plain-text.ts'

/** Markdown as the page shows it, with its character references decoded. */
export const toReadableText = (markdown: string): string => decodeCharacterReferences(toPlainText(markdown))

/** Decodes `&amp;`, `&#38;` and `&#x26;`; unknown ones stay as they are. */
export function decodeCharacterReferences(text: string): string {
  return text.replace(
    /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(\w{2,6}));/gi,
    (reference, decimal, hexadecimal, name: string | undefined) => {
      if (name !== undefined) return decodeNamedCharacterReference(name) || reference
      const code = decimal === undefined ? Number.parseInt(hexadecimal, 16) : Number(decimal)
      const isCharacter = code >= 32 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff)
      return isCharacter ? String.fromCodePoint(code) : reference
    },
  )
}
