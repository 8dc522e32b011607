/** Removes trailing characters of a set such as `/[ .]/`. The pattern `/[ .]+$/` would need quadratic time. */
export function trimEndMatching(text: string, characters: RegExp): string {
  let end = text.length
  while (end > 0 && characters.test(text.charAt(end - 1))) end -= 1
  return text.slice(0, end)
}
