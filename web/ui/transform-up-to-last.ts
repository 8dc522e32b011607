/** Transforms the text up to the last `marker`. A pattern ending in `marker` would rescan the tail for each start (quadratic time). */
export function transformUpToLast(text: string, sign: string, transform: (text: string) => string): string {
  const end = text.lastIndexOf(sign) + 1
  return transform(text.slice(0, end)) + text.slice(end)
}
