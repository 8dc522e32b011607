import type { PendingWrite } from './pending-write.ts'

/**
 * Something written as it will be once what waits in this browser is sent: whoever changes it again begins with their own
 * last words. Fields are taken over that are shown as they are written; `shownAs` says how the others are shown.
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
