import { trustedCharacterReference } from './trusted-script-url.ts'

/**
 * Stands in for the package of this name, by which Markdown reads `&auml;`. The original hands its text to `innerHTML`, which
 * the page policy refuses: one `&amp;` in a moment or an answer failed the whole page.
 * @param name `auml`
 * @returns the character, or false where HTML has none of that name
 */
export function decodeNamedCharacterReference(name: string): string | false {
  const reference = `&${name};`
  const element = document.createElement('i')
  element.innerHTML = trustedCharacterReference(reference)
  const character = element.textContent
  // `&notit;` begins with a name that needs no semicolon, and is none itself.
  const isPart = character.endsWith(';') && name !== 'semi'
  return isPart || character === reference ? false : character
}
