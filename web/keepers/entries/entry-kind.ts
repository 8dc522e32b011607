import type { Entity } from '#contract/keepers/keeper-fields.ts'
import type { AnyEndpoint } from '#web/api/api-types.ts'

export interface BaseEntry {
  id: string
  keeperId: string
  createdAt: string
  updatedAt: string
  rev: number
}

type EntryFields = Record<string, unknown>
/** A kind of entry with its endpoints and texts: voice entries, echoes, logbook entries. */
export interface EntryKind<Entry extends BaseEntry> {
  entity: Entity
  label: string
  endpoints: Record<'list' | 'create' | 'update' | 'remove', AnyEndpoint>
  errorTitles: Record<'fetch' | 'create' | 'update' | 'delete', string>
  /** Fields with user text, shown in the history and restored from it. */
  textFields: readonly string[]
  /** Predicts the entry that the server will return. */
  createEmpty(id: string, keeperId: string, at: string): Entry
  applyChanges(entry: Entry, body: EntryFields): Entry
  sort(entries: Entry[]): Entry[]
}
