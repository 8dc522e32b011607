/** Moves an item, clamped to the ends; an invalid `from` moves nothing. */
export function moveItem<T>(items: readonly T[], from: number, to: number): T[] {
  const index = Math.max(0, Math.min(to, items.length - 1))
  return from < 0 ? [...items] : items.toSpliced(from, 1).toSpliced(index, 0, ...items.slice(from, from + 1))
}
