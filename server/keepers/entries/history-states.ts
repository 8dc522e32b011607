import type { Entity } from '#contract/keepers/keeper-fields.ts'
import { applyDelta, diffJson, type JsonDelta } from '#server/db/json-delta.ts'
import type { Services } from '#server/services.ts'
import { parseJsonColumn } from './entry-tables.ts'

export type EntryState = Record<string, unknown>

/** Location of a long value left out of a state. `null`: the next newer state or the entry itself. An id: that older
 * row of `entry_history`, optionally with a delta. */
type FieldSource = null | string | { from: string; delta: JsonDelta }
type StoredState = EntryState & { $sources?: Record<string, FieldSource> }

export interface HistoryRow {
  id: string
  rev: number
  saved_at: number
  snapshot: StoredState
}

/** Characters of JSON; shorter fields are stored in every state. */
const minLongFieldLength = 256

/** The long text by kind of entry. Only saves with history change it, so an unchanged one need not be stored. */
const longTextFields: Partial<Record<Entity, { field: string; column: string }>> = {
  moment: { field: 'body', column: 'body' },
  reflection: { field: 'content', column: 'content' },
  card: { field: 'content', column: 'content' },
  voice: { field: 'belief', column: 'belief' },
  logbook: { field: 'entry', column: 'entry' },
  journey: { field: 'purpose', column: 'purpose' },
  topic: { field: 'note', column: 'note' },
  keeper: { field: 'purpose', column: 'purpose' },
}

export async function toStoredState(
  services: Pick<Services, 'db'>,
  entity: Entity,
  state: EntryState,
  next: EntryState,
  latest: HistoryRow | undefined,
): Promise<StoredState> {
  const sources = getTextSource(entity, state, next)
  for (const [field, value] of Object.entries(state)) {
    const length = measureLength(value)
    if (!latest || length < minLongFieldLength || field === longTextFields[entity]?.field) continue
    const sourceId = getSourceRowId(latest, field)
    if (sourceId === undefined) continue
    const row = (await loadMissingRows(services, [sourceId], [latest]))[sourceId]
    const delta = diffJson(row?.snapshot[field], value)
    if (delta === undefined) sources[field] = sourceId
    else if (measureLength(delta) * 2 < length) sources[field] = { from: sourceId, delta }
  }
  return omitFields(state, sources)
}

export function omitLongText(entity: Entity, state: EntryState, next: EntryState): StoredState {
  return omitFields(state, getTextSource(entity, state, next))
}

function getTextSource(entity: Entity, state: EntryState, next: EntryState): Record<string, FieldSource> {
  const field = longTextFields[entity]?.field
  return field && measureLength(state[field]) >= minLongFieldLength && state[field] === next[field]
    ? { [field]: null }
    : {}
}

function omitFields(state: EntryState, sources: Record<string, FieldSource>): StoredState {
  if (Object.keys(sources).length === 0) return state
  const fields = Object.entries(state).filter(([field]) => !Object.hasOwn(sources, field))
  return { ...Object.fromEntries(fields), $sources: sources }
}

export function clearField({ $sources: sources = {}, ...state }: StoredState, field: string): StoredState {
  const { [field]: _, ...remainingSources } = sources
  return { ...state, [field]: '', ...(Object.keys(remainingSources).length > 0 && { $sources: remainingSources }) }
}

const measureLength = (value: unknown) => (typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).length

export function replacesLatestText(entity: Entity, latest: HistoryRow, state: EntryState, next: EntryState): boolean {
  const field = longTextFields[entity]?.field
  return field !== undefined && isStoredInNewer(latest, field) && state[field] !== next[field]
}

/** Resolves consecutive rows, newest first. @param newer the state before them, if known */
export async function resolveStates(
  services: Pick<Services, 'db'>,
  { entity, id, row }: { entity: Entity; id: string; row: object },
  rows: readonly HistoryRow[],
  newer?: EntryState,
): Promise<EntryState[]> {
  const longText = longTextFields[entity]
  const sourceRowIds = rows.flatMap((historyRow) =>
    Object.keys(getSources(historyRow)).flatMap((field) => getSourceRowId(historyRow, field) ?? []),
  )
  const sourceRows = await loadMissingRows(services, sourceRowIds, rows)
  let newerText = longText && newer?.[longText.field]
  const states: EntryState[] = []
  for (const [index, historyRow] of rows.entries()) {
    const { $sources: sources = {}, ...fields } = historyRow.snapshot
    const state: EntryState = { ...fields }
    for (const [field, source] of Object.entries(sources)) {
      if (Object.hasOwn(fields, field)) continue
      if (source === null) {
        if (index === 0 && !newer) newerText = await findNewerText(services, { entity, id, row }, historyRow)
        state[field] = newerText
      } else if (typeof source === 'string') state[field] = sourceRows[source]?.snapshot[field]
      else state[field] = applyDelta(sourceRows[source.from]?.snapshot[field], source.delta)
    }
    if (longText) newerText = state[longText.field]
    states.push(state)
  }
  return states
}

const rowsPerQuery = 8

async function findNewerText(
  { db }: Pick<Services, 'db'>,
  { entity, id, row }: { entity: Entity; id: string; row: object },
  historyRow: HistoryRow,
): Promise<unknown> {
  const longText = longTextFields[entity]
  if (!longText) return undefined
  let { rev, saved_at } = historyRow
  for (;;) {
    const rows = await db
      .selectFrom('entry_history')
      .select(['id', 'rev', 'saved_at', 'snapshot'])
      .where('entity', '=', entity)
      .where('entity_id', '=', id)
      .where((where) =>
        where.or([where('rev', '>', rev), where.and([where('rev', '=', rev), where('saved_at', '>', saved_at)])]),
      )
      .orderBy('rev')
      .orderBy('saved_at')
      .limit(rowsPerQuery)
      .execute()
    for (const newer of rows.map(parseSnapshot)) {
      if (!isStoredInNewer(newer, longText.field)) return newer.snapshot[longText.field]
      rev = newer.rev
      saved_at = newer.saved_at
    }
    if (rows.length < rowsPerQuery) return (row as Record<string, unknown>)[longText.column]
  }
}

export function parseSnapshot<R extends { snapshot: EntryState }>(row: R): R {
  return { ...row, snapshot: parseJsonColumn(row.snapshot) }
}

async function loadMissingRows(
  { db }: Pick<Services, 'db'>,
  ids: readonly string[],
  loadedRows: readonly HistoryRow[],
): Promise<Record<string, HistoryRow>> {
  const missingIds = [...new Set(ids)].filter((id) => !loadedRows.some((row) => row.id === id))
  const loadedMissingRows = missingIds.length
    ? await db
        .selectFrom('entry_history')
        .select(['id', 'rev', 'saved_at', 'snapshot'])
        .where('id', 'in', missingIds)
        .execute()
    : []
  return Object.fromEntries([...loadedRows, ...loadedMissingRows.map(parseSnapshot)].map((row) => [row.id, row]))
}

const getSources = ({ snapshot }: HistoryRow) => snapshot.$sources ?? {}

function isStoredInNewer(row: HistoryRow, field: string): boolean {
  return !Object.hasOwn(row.snapshot, field) && getSources(row)[field] === null
}

function getSourceRowId(row: HistoryRow, field: string): string | undefined {
  if (Object.hasOwn(row.snapshot, field)) return row.id
  const source = getSources(row)[field]
  if (source === null || source === undefined) return undefined
  return typeof source === 'string' ? source : source.from
}

interface DatedRow {
  id: string
  created_at: number
  updated_at: number
}

/** The state just before `instant` (ms): `current` if the entry hasn't changed since, null if it didn't exist yet.
 * Saves within one editing session share the state before the first of them. */
export async function findStateBefore(
  services: Pick<Services, 'db'>,
  entity: Entity,
  row: DatedRow,
  instant: number,
): Promise<EntryState | 'current' | null> {
  if (row.created_at >= instant) return null
  if (row.updated_at < instant) return 'current'
  const states = services.db
    .selectFrom('entry_history')
    .select(['id', 'rev', 'saved_at', 'snapshot'])
    .where('entity', '=', entity)
    .where('entity_id', '=', row.id)
    .limit(1)
  // Each row holds the state that its save replaced.
  const replaced =
    (await states.where('saved_at', '>=', instant).orderBy('rev').orderBy('saved_at').executeTakeFirst()) ??
    (await states.orderBy('rev', 'desc').orderBy('saved_at', 'desc').executeTakeFirst())
  if (!replaced) return null
  const historyRow = parseSnapshot(replaced) as HistoryRow
  const [state] = await resolveStates(services, { entity, id: row.id, row }, [historyRow])
  return state ?? null
}
