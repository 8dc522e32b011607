export interface TextDifference {
  commonPrefix: string
  /** The first differing character; empty if the value is too short. */
  character: string
  remainder: string
  /** For example `differs at character 7: found x, expected y`. */
  description: string
}

/** Compares by user-perceived characters; undefined if the values are equal. */
export function findFirstDifference(actual: string, expected: string): TextDifference | undefined {
  const [actualCharacters, expectedCharacters] = [Array.from(actual), Array.from(expected)]
  let index = 0
  while (index < actualCharacters.length && actualCharacters[index] === expectedCharacters[index]) index++
  if (index === actualCharacters.length && index === expectedCharacters.length) return undefined
  return {
    commonPrefix: actualCharacters.slice(0, index).join(''),
    character: actualCharacters[index] ?? '',
    remainder: actualCharacters.slice(index + 1).join(''),
    description: `differs at character ${index + 1}: found ${describeCharacter(actualCharacters[index])}, expected ${describeCharacter(expectedCharacters[index])}`,
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
