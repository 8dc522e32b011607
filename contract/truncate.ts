/** Cuts to a number of UTF-16 units without splitting a surrogate pair. */
export function truncate(text: string, most: number): string {
  return text.slice(0, most).replace(/[\ud800-\udbff]$/, '')
}
