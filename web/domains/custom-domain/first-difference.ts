export interface TextDifference {
  same: string
  /** The first differing character; empty if the value is too short. */
  character: string
  rest: string
  /** For example `differs at character 7: found x, expected y`. */
  inWords: string
}

/** Compares by user-perceived characters; undefined if the values are equal. */
export function findFirstDifference(actual: string, expected: string): TextDifference | undefined {
  const [actualCharacters, expectedCharacters] = [Array.from(actual), Array.from(expected)]
  let at = 0
  while (at < actualCharacters.length && actualCharacters[at] === expectedCharacters[at]) at++
  if (at === actualCharacters.length && at === expectedCharacters.length) return undefined
  return {
    same: actualCharacters.slice(0, at).join(''),
    character: actualCharacters[at] ?? '',
    rest: actualCharacters.slice(at + 1).join(''),
    inWords: `differs at character ${at + 1}: found ${describeCharacter(actualCharacters[at])}, expected ${describeCharacter(expectedCharacters[at])}`,
  }
}

function describeCharacter(character: string | undefined): string {
  if (character === undefined) return 'the end'
  return /\s/.test(character) ? 'a space' : character
}

/** Host names ignore case and a trailing dot; other values are compared exactly. */
export function toComparable(type: string, value: string): string {
  if (type === 'TXT') return value.trim()
  return type === 'CNAME' || type === 'A' || type === 'AAAA' ? value.toLowerCase().replace(/\.$/, '') : value
}
