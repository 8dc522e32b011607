/** Removes trailing characters of a set such as `/[ .]/`. The pattern `/[ .]+$/` would need quadratic time. */
export function trimEndMatching(text: string, characters: RegExp): string {
  let end = text.length
  while (end > 0 && characters.test(text.charAt(end - 1))) end -= 1
  return text.slice(0, end)
}

/** Joins lines and trims around each line end in linear time, unlike a regular expression. */
export function joinLines(text: string, separator: string): string {
  const [first = '', ...others] = text.split('\n')
  const last = others.pop()
  if (last === undefined) return text
  const inner = others.map((line) => line.trim()).filter((line) => line !== '')
  return [first.trimEnd(), ...inner, last.trimStart()].join(separator)
}
