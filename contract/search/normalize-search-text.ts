const ascii = /^[\0-\x7f]*$/
/** Invisible characters: soft hyphens, zero-width spaces and joiners, variation selectors, tatweel. */
const ignorable = /[\p{Default_Ignorable_Code_Point}\u0640\uFFF9-\uFFFB]+/gu
/**
 * Accents, points and vowel signs that people leave out. In other scripts, such as Thai, marks are letters of their
 * own.
 */
const optionalMarks =
  /(?:(?![\u3099\u309A])(?=\p{M})[\p{Script=Inherited}\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\u093C\u09BC\u0A3C\u0ABC\u0B3C])+/gu

/** Characters that people replace by others when typing, and that compatibility decomposition doesn't unify. */
const replacements: Record<string, string> = {
  ...createReplacements('-', '\u05BE\u2010\u2011\u2012\u2013\u2014\u2015\u2043\u2212\u2E3A\u2E3B\u30A0'),
  ...createReplacements(
    "'",
    '`\u00B4\u02B9\u02BB\u02BC\u02BD\u02C8\u05F3\u2018\u2019\u201A\u201B\u2032\u2035\u2039\u203A\uA78C',
  ),
  ...createReplacements(
    '"',
    '\u00AB\u00BB\u05F4\u201C\u201D\u201E\u201F\u2033\u2036\u300C\u300D\u300E\u300F\u301D\u301E\u301F',
  ),
  ...createReplacements('/', '\u2044\u2215'),
  ...createReplacements('\u00B0', '\u02DA'),
  ...createReplacements('i', '\u0131'),
  ...createReplacements('o', '\u00F8'),
  ...createReplacements('d', '\u0111\u00F0'),
  ...createReplacements('l', '\u0142'),
  ...createReplacements('h', '\u0127'),
  ...createReplacements('t', '\u0167'),
  ...createReplacements('ss', '\u00DF'),
  ...createReplacements('ae', '\u00E6'),
  ...createReplacements('oe', '\u0153'),
  ...createReplacements('th', '\u00FE'),
  ...createReplacements('\u03C3', '\u03C2'),
  ...createReplacements('\u0627', '\u0671'),
  ...createReplacements('\u064A', '\u0649\u06CC'),
  ...createReplacements('\u0643', '\u06A9\u06AD'),
  ...createReplacements('\u0647', '\u0629\u06C1\u06D5'),
}
/** The digit zero of scripts whose digits match 0 to 9. */
const zeros = [0x660, 0x6f0, 0x966, 0x9e6, 0xa66, 0xae6, 0xb66, 0xbe6, 0xc66, 0xce6, 0xd66, 0xe50, 0xed0, 0x17e0]
for (const zero of zeros)
  for (let digit = 0; digit < 10; digit++) replacements[String.fromCodePoint(zero + digit)] = String(digit)
// Katakana is compared as hiragana.
for (let kana = 0x30a1; kana <= 0x30f6; kana++)
  replacements[String.fromCodePoint(kana)] = String.fromCodePoint(kana - 0x60)
const replaceableCharacters = new RegExp(
  `[${Object.keys(replacements)
    .map((character) => `\\u{${character.codePointAt(0)?.toString(16)}}`)
    .join('')}]`,
  'gu',
)

function createReplacements(to: string, from: string): Record<string, string> {
  return Object.fromEntries(Array.from(from, (character) => [character, to]))
}

const replaceCharacter = (character: string) => replacements[character] ?? character

/**
 * The form in which texts and queries are compared: encodings, accents, case, quotes, hyphens and white space don't
 * matter.
 */
export function normalizeSearchText(text: string): string {
  return normalizeCharacters(text).replace(/\s+/g, ' ')
}

function normalizeCharacters(text: string): string {
  if (ascii.test(text)) return text.toLowerCase().replaceAll('`', "'")
  return (
    text
      // Before decomposition, which turns some quotes into a space with an accent.
      .replace(replaceableCharacters, replaceCharacter)
      .replace(ignorable, '')
      .normalize('NFKD')
      .toLowerCase()
      .replace(optionalMarks, '')
      .replace(ignorable, '')
      .replace(replaceableCharacters, replaceCharacter)
  )
}

export interface NormalizedText {
  text: string
  /** Start of each character of `text` in the original; one more for its end. */
  starts: Uint32Array
}

const segment = /\P{M}\p{M}*|\p{M}+/gu
const isSpace = (code: number) => code === 32 || (code >= 9 && code <= 13)

/** {@link normalizeSearchText} with the original position of each character. */
export function normalizeWithPositions(original: string): NormalizedText {
  const starts: number[] = []
  const parts: string[] = []
  let endsWithSpace = false
  const add = (normalized: string, start: number) => {
    for (let index = 0; index < normalized.length; index++) {
      const isBlank =
        isSpace(normalized.charCodeAt(index)) || (normalized > '\x7f' && /\s/.test(normalized.charAt(index)))
      if (isBlank && endsWithSpace) continue
      endsWithSpace = isBlank
      parts.push(isBlank ? ' ' : normalized.charAt(index))
      starts.push(start)
    }
  }
  if (ascii.test(original)) {
    const normalized = normalizeCharacters(original)
    for (let index = 0; index < normalized.length; index++) add(normalized.charAt(index), index)
  } else for (const { 0: part, index } of original.matchAll(segment)) add(normalizeCharacters(part), index)
  starts.push(original.length)
  return { text: parts.join(''), starts: Uint32Array.from(starts) }
}
