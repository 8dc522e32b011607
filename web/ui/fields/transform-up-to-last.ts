/** Transforms the text up to the last `marker`. A pattern ending in `marker` would rescan the tail for each start (quadratic time). */
export function transformUpToLast(text: string, marker: string, transform: (text: string) => string): string {
  const end = text.lastIndexOf(marker) + 1
  return transform(text.slice(0, end)) + text.slice(end)
}
