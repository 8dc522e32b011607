/**
 * How well a palette entry fits what was typed, 0 to 1: every word typed must stand in it, and beginnings of words
 * count more. Letters scattered over an entry are no match.
 */
export function matchWords(entry: string, typed: string): number {
  const text = entry.toLowerCase()
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean)
  let score = 1
  for (const word of words) {
    const at = text.indexOf(word)
    if (at === -1) return 0
    const beginsWord = at === 0 || text.split(/[\s/›-]+/).some((part) => part.startsWith(word))
    score *= at === 0 ? 1 : beginsWord ? 0.9 : 0.5
  }
  return score
}
