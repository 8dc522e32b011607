/** Joins lines and trims around each line end in linear time, unlike a regular expression. */
export function joinLines(text: string, separator: string): string {
  const [first = '', ...others] = text.split('\n')
  const last = others.pop()
  if (last === undefined) return text
  const inner = others.map((line) => line.trim()).filter((line) => line !== '')
  return [first.trimEnd(), ...inner, last.trimStart()].join(separator)
}
