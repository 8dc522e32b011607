import type { Selectable } from 'kysely'
import { type Entity, type TopicalEntity, topicalEntities } from '#contract/keepers/keeper-fields.ts'
import type { EntityColumns } from '#server/db/keeper-schema.ts'
import type { Schema } from '#server/db/schema.ts'
import { toIsoTime } from '#server/values/iso-time.ts'

export const entryTables = {
  reflection: 'reflections',
  card: 'memory_cards',
  voice: 'voice_entries',
  echo: 'echoes',
  logbook: 'logbook_entries',
  moment: 'moments',
  journey: 'journeys',
  path: 'paths',
  topic: 'topics',
  source: 'sources',
} as const satisfies Partial<Record<Entity, keyof Schema>>

/** Also keepers, which are deleted and restored like entries. */
export const deletableTables = { keeper: 'keepers', ...entryTables } as const satisfies Record<Entity, keyof Schema>

export type EntryEntity = keyof typeof entryTables
export type EntryTable<E extends EntryEntity> = (typeof entryTables)[E]
export type EntryRow<E extends EntryEntity> = Selectable<EntityColumns> & Selectable<Schema[EntryTable<E>]>

export function isTopical(entity: EntryEntity): entity is TopicalEntity {
  return (topicalEntities as readonly string[]).includes(entity)
}

type RecordColumns = Pick<Selectable<EntityColumns>, 'id' | 'keeper_id' | 'created_at' | 'updated_at' | 'rev'>

/** The fields that all kinds of entries have in responses. */
export const toRecordFields = (row: RecordColumns) => ({
  id: row.id,
  keeperId: row.keeper_id,
  createdAt: toIsoTime(row.created_at),
  updatedAt: toIsoTime(row.updated_at),
  rev: row.rev,
})

/** The table of a kind of entry, typed as one of them: Kysely can't type a query of several, and all share its columns. */
export const getEntryTable = (entity: EntryEntity) => entryTables[entity] as 'reflections'

export function mapEntryTables<Value>(map: (table: 'reflections') => Value): Record<EntryEntity, Value> {
  const entities = Object.keys(entryTables) as EntryEntity[]
  const entries = entities.map((entity) => [entity, map(getEntryTable(entity))])
  return Object.fromEntries(entries) as Record<EntryEntity, Value>
}

/** Parses a JSON column, which is still text in rows returned by `saveEntry`. */
export function parseJsonColumn<T extends object | null>(value: T): T {
  return typeof value === 'string' ? (JSON.parse(value) as T) : value
}
