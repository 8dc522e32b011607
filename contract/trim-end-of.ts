/**
 * Removes the characters that a set such as `/[ .]/` names from the end. A pattern such as `/[ .]+$/` does the same in
 * quadratic time.
 */
export function trimEndOf(text: string, set: RegExp): string {
  let end = text.length
  while (end > 0 && set.test(text.charAt(end - 1))) end -= 1
  return text.slice(0, end)
}
