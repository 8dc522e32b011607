import { toTrustedCharacterReference } from './trusted-script-url.ts'

/** The original package sets `innerHTML`, which the page policy refuses: one `&amp;` failed the whole page. */
export function decodeNamedCharacterReference(name: string): string | false {
  const reference = `&${name};`
  const element = document.createElement('i')
  element.innerHTML = toTrustedCharacterReference(reference)
  const character = element.textContent
  // `&notit;` begins with a name that needs no semicolon but is not a name itself.
  const isPartialMatch = character.endsWith(';') && name !== 'semi'
  return isPartialMatch || character === reference ? false : character
}
