/** Cuts to a number of UTF-16 units without splitting a surrogate pair. */
export function truncate(text: string, maxLength: number): string {
  return text.slice(0, maxLength).replace(/[\ud800-\udbff]$/, '')
}

/** Marks a cut with an ellipsis, which counts toward `maxLength`. */
export const ellipsize = (text: string, maxLength: number): string =>
  text.length > maxLength ? `${truncate(text, maxLength - 1).trimEnd()}…` : text
