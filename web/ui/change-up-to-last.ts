/**
 * Changes a text up to the last place of a sign and leaves what follows. A pattern that ends with that sign would look
 * through the rest once for each of its beginnings.
 */
export function changeUpToLast(text: string, sign: string, change: (text: string) => string): string {
  const end = text.lastIndexOf(sign) + 1
  return change(text.slice(0, end)) + text.slice(end)
}
