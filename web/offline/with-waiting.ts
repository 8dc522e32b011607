import type { PendingWrite } from './pending-write.ts'

/**
 * The entry as it will be after its pending writes, so further edits build on them. `converters` change fields that are
 * shown differently from how they are written.
 */
export function withWaiting<T extends { id: string }>(
  entry: T,
  writes: readonly PendingWrite[],
  shownAs: { [Name in keyof T]?: (written: never) => T[Name] } = {},
): T {
  let shown = entry
  for (const { thing, endpoint, body = {} } of writes) {
    if (thing !== entry.id || endpoint.creates) continue
    const fields = Object.entries(body).filter(([name, value]) => name in entry && value !== undefined)
    shown = {
      ...shown,
      ...Object.fromEntries(fields.map(([name, value]) => [name, shownAs[name as keyof T]?.(value as never) ?? value])),
    }
  }
  return shown
}
