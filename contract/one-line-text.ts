import * as z from 'zod/mini'

/** Printable ASCII with single spaces, as in nearly every name, or nothing; needs no cleaning. */
const plainAscii = /^(?:[\x21-\x7e]+(?: [\x21-\x7e]+)*)?$/

/** Scripts that need the zero-width joiners (UTS 31, rules A1, A2 and B). */
const indicScripts =
  '\\p{scx=Deva}\\p{scx=Beng}\\p{scx=Guru}\\p{scx=Gujr}\\p{scx=Orya}\\p{scx=Taml}\\p{scx=Telu}\\p{scx=Knda}'
const southernScripts = indicScripts.concat(
  '\\p{scx=Mlym}\\p{scx=Sinh}\\p{scx=Khmr}\\p{scx=Mymr}\\p{scx=Java}\\p{scx=Bali}',
)
const joiningContext = '(?=[\\p{L}\\p{M}])['.concat(
  southernScripts,
  '\\p{scx=Arab}\\p{scx=Syrc}\\p{scx=Mong}\\p{scx=Nkoo}\\p{scx=Adlm}]',
)

let cachedInvisibleCharacters: RegExp | undefined

/** The first group matches invisible characters that have a meaning where they are; matches outside it are removed. */
function getInvisibleCharacters(): RegExp {
  // Compiling takes 10 ms, and few pages have such a character.
  cachedInvisibleCharacters ??= new RegExp(
    [
      // Flags of England, Scotland and Texas: tag letters after a black flag.
      '(\\u{1F3F4}[\\u{E0061}-\\u{E007A}]{2}[\\u{E0030}-\\u{E0039}\\u{E0061}-\\u{E007A}]{1,3}\\u{E007F}',
      '(?<=[\\p{Extended_Pictographic}\\p{Emoji_Modifier}\\uFE0F])\\u200D(?=\\p{Extended_Pictographic})',
      `(?<=${joiningContext})[\\u200C\\u200D](?=${joiningContext})`,
      `(?<=(?=\\p{Mn})[${southernScripts}])\\u200D`,
      '(?<=(?![0-9#*])\\p{Emoji})[\\uFE0E\\uFE0F]|(?<=[0-9#*])\\uFE0F(?=\\u20E3)',
      // Variants of a character in Japanese names, and of a Mongolian letter.
      '(?<=\\p{Script=Han})[\\u{E0100}-\\u{E01EF}]|(?<=(?=\\p{L})\\p{Script=Mong})[\\u180B-\\u180D\\u180F])',
      '[\\p{Default_Ignorable_Code_Point}\\uFFF9-\\uFFFB]',
    ].join('|'),
    'gu',
  )
  return cachedInvisibleCharacters
}

const invisibleCharacter = /[\p{Default_Ignorable_Code_Point}\uFFF9-\uFFFB]/u
const everyInvisibleCharacter = new RegExp(invisibleCharacter, 'gu')
const commonCombiningMark = /[\u0300-\u036F\u1AB0-\u1AFF\u1DC0-\u1DFF\u20D0-\u20FF\uFE20-\uFE2F]/
const stackedMarks = /\p{M}{4,}/gu
const visibleCharacter = /(?![\u2800\u{1D159}])[\p{L}\p{N}\p{P}\p{S}\p{Co}\p{Cn}]/u

/** Removes line breaks, reordering, hidden and stacked characters, collapses spaces and applies NFC. Empty if nothing visible remains. */
export function cleanOneLine(text: string): string {
  if (plainAscii.test(text)) return text
  const cleaned = cleanOnce(text)
  // Removing characters can reorder marks or leave an unneeded joiner.
  const isStable = !invisibleCharacter.test(cleaned) || cleanOnce(cleaned) === cleaned
  return isStable ? cleaned : cleanOnce(cleaned.replace(everyInvisibleCharacter, ''))
}

function cleanOnce(text: string): string {
  const cleaned = removeInvisibleCharacters(text.replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, ' ').normalize('NFC'))
    .replace(stackedMarks, limitMarks)
    .normalize('NFC')
    .replace(/\s+/gu, ' ')
    // A leading mark would attach to a letter of the page.
    .replace(/^[\s\p{M}\u200C\u200D]+/u, '')
    .trimEnd()
  return visibleCharacter.test(cleaned) ? cleaned : ''
}

function removeInvisibleCharacters(text: string): string {
  if (!invisibleCharacter.test(text)) return text
  const keepMeaningful = (_: string, meaningful: string | undefined) => meaningful ?? ''
  return text.replace(getInvisibleCharacters(), keepMeaningful).normalize('NFC')
}

/** No language stacks more than three common marks, or eight of its own script. */
function limitMarks(marks: string): string {
  let commonCount = 0
  const allowedMarks = [...marks].filter((mark) => !commonCombiningMark.test(mark) || ++commonCount <= 3)
  return allowedMarks.slice(0, 8).join('')
}

interface OneLineOptions {
  max: number
  min?: number
  message?: string
}

/** A one-line text in a request. The length is checked after cleaning. */
export function oneLine({ max, min = 0, message }: OneLineOptions) {
  return z.string().check(
    z.overwrite(cleanOneLine),
    z.minLength(min, message),
    // Formatted when needed: hundreds of fields would take 15 ms at start.
    z.maxLength(max, { error: () => `Use at most ${max.toLocaleString('en-US')} characters.` }),
  )
}

/** Names saved before cleaning existed can have nothing visible, so they get a placeholder. */
export function toDisplayLine(text: string): string {
  return cleanOneLine(text) || (text.trim() === '' ? '' : 'Unnamed')
}

/** A one-line text in a response; the router cleans texts saved before cleaning existed. */
export const displayLine = z.string().check(z.overwrite(toDisplayLine))
