import type { PendingWrite } from './pending-write.ts'

/** Further edits build on the result. `converters` change fields that are shown differently from how they are written. */
export function applyPendingWrites<T extends { id: string }>(
  entry: T,
  writes: readonly PendingWrite[],
  converters: { [Name in keyof T]?: (written: never) => T[Name] } = {},
): T {
  let updated = entry
  for (const { thing: entityId, endpoint, body = {} } of writes) {
    if (entityId !== entry.id || endpoint.creates) continue
    const fields = Object.entries(body).filter(([name, value]) => name in entry && value !== undefined)
    updated = {
      ...updated,
      ...Object.fromEntries(
        fields.map(([name, value]) => [name, converters[name as keyof T]?.(value as never) ?? value]),
      ),
    }
  }
  return updated
}
