/** 'a, b,, a' as ['a', 'b']: entries are trimmed, empty ones and repetitions dropped (seed 001 §5). */
export function namesFrom(text: string): string[] {
  return [...new Set(text.split(/[,\n]/).map((name) => name.trim()))].filter((name) => name !== '')
}

/** Slugs as people paste them: separated by commas, spaces or lines, with or without @ or quotes. */
export function bundleFrom(text: string): string[] {
  const slugs = text.split(/[\s,;]+/).map((slug) => slug.replace(/^[@"'`]+|["'`]+$/g, '').toLowerCase())
  return [...new Set(slugs)].filter((slug) => slug !== '')
}

/** The list with one entry some places further on, or back; at its ends it stays. */
export function moved<Item>(list: readonly Item[], index: number, by: number): Item[] {
  const to = Math.min(Math.max(index + by, 0), list.length - 1)
  const others = list.toSpliced(index, 1)
  return others.toSpliced(to, 0, ...list.slice(index, index + 1))
}
