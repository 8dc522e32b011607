export interface Difference {
  /** The part that is as wanted. */
  same: string
  /** The first character that is not; empty where the text ends too early. */
  character: string
  rest: string
  /** Such as `differs at character 7: found x, wanted y`. */
  inWords: string
}

/** Where a found value first differs from the wanted one, in characters as people count them; undefined when nowhere. */
export function firstDifference(found: string, wanted: string): Difference | undefined {
  const [has, wants] = [Array.from(found), Array.from(wanted)]
  let at = 0
  while (at < has.length && has[at] === wants[at]) at++
  if (at === has.length && at === wants.length) return undefined
  return {
    same: has.slice(0, at).join(''),
    character: has[at] ?? '',
    rest: has.slice(at + 1).join(''),
    inWords: `differs at character ${at + 1}: found ${spoken(has[at])}, wanted ${spoken(wants[at])}`,
  }
}

function spoken(character: string | undefined): string {
  if (character === undefined) return 'the end'
  return /\s/.test(character) ? 'a space' : character
}

/** Names are compared without case and without the dot at their end; other texts as they are. */
export function comparable(type: string, value: string): string {
  if (type === 'TXT') return value.trim()
  return type === 'CNAME' || type === 'A' || type === 'AAAA' ? value.toLowerCase().replace(/\.$/, '') : value
}
