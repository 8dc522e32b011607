import type { Entity } from '#contract/keepers/keeper-words.ts'
import type { AnyEndpoint } from '#web/api-types.ts'

/** What every entry of a room carries. */
export interface RoomEntry {
  id: string
  keeperId: string
  createdAt: string
  updatedAt: string
  rev: number
}

type Words = Record<string, unknown>
/** A kind of entry with its calls and its words: voice entries, echoes, logbook entries. */
export interface Room<Entry extends RoomEntry> {
  entity: Entity
  /** `Voice entry`. */
  what: string
  calls: Record<'list' | 'create' | 'update' | 'remove', AnyEndpoint>
  failures: Record<'fetch' | 'create' | 'update' | 'delete', string>
  /** What somebody wrote of it: shown of an earlier version, and brought back. */
  words: readonly string[]
  /** An entry as it will be when the server has it: made under `id`, or `entry` with what was changed. */
  fresh(id: string, keeperId: string, at: string): Entry
  with(entry: Entry, body: Words): Entry
  /** What a demo keeper holds. */
  demo(keeperId: string): Entry[]
  /** In the order of the list. */
  sorted(entries: Entry[]): Entry[]
}
