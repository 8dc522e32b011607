/** The list with one item at another place, or at the end it would have gone beyond; without an item there, as it is. */
export function moved<T>(items: readonly T[], from: number, to: number): T[] {
  const place = Math.max(0, Math.min(to, items.length - 1))
  return from < 0 ? [...items] : items.toSpliced(from, 1).toSpliced(place, 0, ...items.slice(from, from + 1))
}
