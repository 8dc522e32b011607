import { trustedCharacterReference } from './trusted-script-url.ts'

/**
 * Replaces the package of this name, which decodes `&auml;` in Markdown. The original uses `innerHTML`, which the page
 * policy refuses: one `&amp;` in a moment or an answer failed the whole page.
 * @param name `auml`
 * @returns the character, or false for an unknown name
 */
export function decodeNamedCharacterReference(name: string): string | false {
  const reference = `&${name};`
  const element = document.createElement('i')
  element.innerHTML = trustedCharacterReference(reference)
  const character = element.textContent
  // `&notit;` begins with a name that needs no semicolon but is not a name itself.
  const isPart = character.endsWith(';') && name !== 'semi'
  return isPart || character === reference ? false : character
}
