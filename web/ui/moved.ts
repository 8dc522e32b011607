/** Moves an item, clamped to the ends; an invalid `from` moves nothing. */
export function moved<T>(items: readonly T[], from: number, to: number): T[] {
  const place = Math.max(0, Math.min(to, items.length - 1))
  return from < 0 ? [...items] : items.toSpliced(from, 1).toSpliced(place, 0, ...items.slice(from, from + 1))
}
