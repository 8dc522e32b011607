import type { Entity } from '#contract/keepers/keeper-words.ts'
import type { AnyEndpoint } from '#web/api-types.ts'

export interface RoomEntry {
  id: string
  keeperId: string
  createdAt: string
  updatedAt: string
  rev: number
}

type Words = Record<string, unknown>
/** A kind of entry with its endpoints and texts: voice entries, echoes, logbook entries. */
export interface Room<Entry extends RoomEntry> {
  entity: Entity
  /** `Voice entry`. */
  what: string
  calls: Record<'list' | 'create' | 'update' | 'remove', AnyEndpoint>
  failures: Record<'fetch' | 'create' | 'update' | 'delete', string>
  /** Fields with user text, shown in the history and restored from it. */
  words: readonly string[]
  /** The entry as the server will return it: an empty one, or `entry` with changes applied. */
  fresh(id: string, keeperId: string, at: string): Entry
  with(entry: Entry, body: Words): Entry
  demo(keeperId: string): Entry[]
  sorted(entries: Entry[]): Entry[]
}
