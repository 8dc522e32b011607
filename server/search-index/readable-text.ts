import { toPlainText } from '#contract/plain-text.ts'

/** Names that appear in text converted from HTML; other letters are written as themselves. */
const namedCharacters: Record<string, string> = {
  ...{ nbsp: ' ', amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", shy: '\u00ad', ndash: '–', mdash: '—' },
  ...{ hellip: '…', lsquo: '‘', rsquo: '’', ldquo: '“', rdquo: '”' },
}

/** Markdown as the page shows it, including character references. */
export function toReadableText(markdown: string): string {
  return toPlainText(markdown).replace(
    /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(\w{2,6}));/gi,
    (reference, decimal, hexadecimal, name: string | undefined) => {
      if (name !== undefined) return namedCharacters[name] ?? reference
      const code = decimal === undefined ? Number.parseInt(hexadecimal, 16) : Number(decimal)
      const isCharacter = code >= 32 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff)
      return isCharacter ? String.fromCodePoint(code) : reference
    },
  )
}
