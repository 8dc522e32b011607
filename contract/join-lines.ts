/**
 * The lines of a text joined by a separator, without the white space around each line end. A pattern such as `\s*\n\s*`
 * does the same in quadratic time.
 */
export function joinLines(text: string, separator: string): string {
  const [first = '', ...others] = text.split('\n')
  const last = others.pop()
  if (last === undefined) return text
  const inner = others.map((line) => line.trim()).filter((line) => line !== '')
  return [first.trimEnd(), ...inner, last.trimStart()].join(separator)
}
