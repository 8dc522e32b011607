import * as z from 'zod/mini'

/** Printable ASCII with single spaces: nearly every name, and nothing to clean. */
const plain = /^[\x21-\x7e]+(?: [\x21-\x7e]+)*$/

/** Scripts whose words need the zero-width joiners (UTS 31, rules A1, A2 and B). */
const indic = '\\p{scx=Deva}\\p{scx=Beng}\\p{scx=Guru}\\p{scx=Gujr}\\p{scx=Orya}\\p{scx=Taml}\\p{scx=Telu}\\p{scx=Knda}'
const southern = indic.concat('\\p{scx=Mlym}\\p{scx=Sinh}\\p{scx=Khmr}\\p{scx=Mymr}\\p{scx=Java}\\p{scx=Bali}')
const joining = '(?=[\\p{L}\\p{M}])['.concat(
  southern,
  '\\p{scx=Arab}\\p{scx=Syrc}\\p{scx=Mong}\\p{scx=Nkoo}\\p{scx=Adlm}]',
)

/** Invisible characters that mean something where they stand, in the first group; any others match without it. */
const invisible = new RegExp(
  [
    // The flags of England, Scotland and Texas: letters of the tag block behind a black flag.
    '(\\u{1F3F4}[\\u{E0061}-\\u{E007A}]{2}[\\u{E0030}-\\u{E0039}\\u{E0061}-\\u{E007A}]{1,3}\\u{E007F}',
    '(?<=[\\p{Extended_Pictographic}\\p{Emoji_Modifier}\\uFE0F])\\u200D(?=\\p{Extended_Pictographic})',
    `(?<=${joining})[\\u200C\\u200D](?=${joining})`,
    `(?<=(?=\\p{Mn})[${southern}])\\u200D`,
    '(?<=(?![0-9#*])\\p{Emoji})[\\uFE0E\\uFE0F]|(?<=[0-9#*])\\uFE0F(?=\\u20E3)',
    // Variants of a character in Japanese names, and of a Mongolian letter.
    '(?<=\\p{Script=Han})[\\u{E0100}-\\u{E01EF}]|(?<=(?=\\p{L})\\p{Script=Mong})[\\u180B-\\u180D\\u180F])',
    '[\\p{Default_Ignorable_Code_Point}\\uFFF9-\\uFFFB]',
  ].join('|'),
  'gu',
)

const anyInvisible = /[\p{Default_Ignorable_Code_Point}\uFFF9-\uFFFB]/u
const everyInvisible = new RegExp(anyInvisible, 'gu')
const commonMark = /[\u0300-\u036F\u1AB0-\u1AFF\u1DC0-\u1DFF\u20D0-\u20FF\uFE20-\uFE2F]/
const manyMarks = /\p{M}{4,}/gu
const visible = /(?![\u2800\u{1D159}])[\p{L}\p{N}\p{P}\p{S}\p{Co}\p{Cn}]/u

/**
 * A text of one line as it is kept and shown: no line breaks, no characters that reorder, hide or carry text unseen, no
 * piles of marks, single spaces, NFC. Empty where nothing of it can be seen.
 */
export function cleanOneLine(text: string): string {
  if (plain.test(text)) return text
  const cleaned = cleanOnce(text)
  // What was taken out can leave marks in another order, and a joiner where none is needed.
  const isStable = !anyInvisible.test(cleaned) || cleanOnce(cleaned) === cleaned
  return isStable ? cleaned : cleanOnce(cleaned.replace(everyInvisible, ''))
}

function cleanOnce(text: string): string {
  const cleaned = text
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, ' ')
    .normalize('NFC')
    .replace(invisible, (_, needed: string | undefined) => needed ?? '')
    .normalize('NFC')
    .replace(manyMarks, limitMarks)
    .replace(/\s+/gu, ' ')
    // A mark needs a letter before it; at the beginning it would stand on a letter of the page.
    .replace(/^[\s\p{M}\u200C\u200D]+/u, '')
    .trimEnd()
  return visible.test(cleaned) ? cleaned : ''
}

/** No language writes more on one letter than three of the common marks, or eight with those of its own script. */
function limitMarks(marks: string): string {
  let common = 0
  const kept = [...marks].filter((mark) => !commonMark.test(mark) || ++common <= 3)
  return kept.slice(0, 8).join('')
}

interface OneLineOptions {
  max: number
  /** 1 where a text is required; `message` is what an empty one is told. */
  min?: number
  message?: string
}

/** A one-line text that is taken in. Lengths are counted after cleaning. */
export function oneLine({ max, min = 0, message }: OneLineOptions) {
  return z
    .string()
    .check(
      z.overwrite(cleanOneLine),
      z.minLength(min, message),
      z.maxLength(max, `Use at most ${max.toLocaleString('en-US')} characters.`),
    )
}

/** As an answer has it: a name kept before names were cleaned, of which nothing can be seen, still has one. */
export function showOneLine(text: string): string {
  return cleanOneLine(text) || (text.trim() === '' ? '' : 'Unnamed')
}

/** A one-line text in an answer; the router cleans those that were kept before names were cleaned. */
export const shownLine = z.string().check(z.overwrite(showOneLine))
