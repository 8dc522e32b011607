export interface Difference {
  /** The matching prefix. */
  same: string
  /** The first differing character; empty if the value is too short. */
  character: string
  rest: string
  /** For example `differs at character 7: found x, expected y`. */
  inWords: string
}

/** Compares by user-perceived characters; undefined if the values are equal. */
export function firstDifference(found: string, wanted: string): Difference | undefined {
  const [has, wants] = [Array.from(found), Array.from(wanted)]
  let at = 0
  while (at < has.length && has[at] === wants[at]) at++
  if (at === has.length && at === wants.length) return undefined
  return {
    same: has.slice(0, at).join(''),
    character: has[at] ?? '',
    rest: has.slice(at + 1).join(''),
    inWords: `differs at character ${at + 1}: found ${spoken(has[at])}, expected ${spoken(wants[at])}`,
  }
}

function spoken(character: string | undefined): string {
  if (character === undefined) return 'the end'
  return /\s/.test(character) ? 'a space' : character
}

/** Host names ignore case and a trailing dot; other values are compared exactly. */
export function comparable(type: string, value: string): string {
  if (type === 'TXT') return value.trim()
  return type === 'CNAME' || type === 'A' || type === 'AAAA' ? value.toLowerCase().replace(/\.$/, '') : value
}
