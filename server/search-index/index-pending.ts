import { type RawBuilder, sql } from 'kysely'
import { normalizeSearchText } from '#contract/search/normalize-search-text.ts'
import type { Write } from '#server/db/database.ts'
import { UniqueViolation } from '#server/db/database-errors.ts'
import type { Services } from '#server/services.ts'
import { getGrams, getScopeGram, toPosition, toTokens } from './grams.ts'
import { type SearchableEntry, searchableKinds } from './kinds.ts'

const batchSize = 200
const maxPositionAttempts = 30

type IndexServices = Pick<Services, 'db'>

interface PendingRow {
  entity: string
  id: string
  mark: number
}

interface IndexedRow extends PendingRow {
  key: string
  at: number
  ownerId: string
  containerId: string
  position: number
  day: string
  text: string
  grams: Set<number>
}

interface IndexOptions {
  /** Only entries of this person. */
  ownerId?: string
  budgetMs: number
  signal?: AbortSignal
}

const runningBatches = new WeakMap<IndexServices['db'], Promise<unknown>>()

/** Indexes changed entries until none is left or the time is used up. Returns whether all are indexed. */
export async function indexPending(services: IndexServices, options: IndexOptions): Promise<boolean> {
  const deadline = performance.now() + options.budgetMs
  for (;;) {
    if ((await readPending(services, options)).length === 0) return true
    if (performance.now() > deadline || options.signal?.aborted) return false
    const previous = runningBatches.get(services.db) ?? Promise.resolve()
    const next = previous.then(async () => indexBatch(services, await readPending(services, options)))
    runningBatches.set(
      services.db,
      next.catch(() => undefined),
    )
    await next
  }
}

function readPending({ db }: IndexServices, { ownerId }: Pick<IndexOptions, 'ownerId'>): Promise<PendingRow[]> {
  return db
    .selectFrom('search_pending')
    .select(['entity', 'id', 'mark'])
    .$if(ownerId !== undefined, (query) => query.where('owner_id', '=', ownerId ?? ''))
    .limit(batchSize)
    .execute()
}

export async function countPending({ db }: IndexServices, ownerId: string): Promise<number> {
  const { count } = await db
    .selectFrom('search_pending')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('owner_id', '=', ownerId)
    .executeTakeFirstOrThrow()
  return Number(count)
}

async function indexBatch({ db }: IndexServices, pending: PendingRow[]): Promise<void> {
  if (pending.length === 0) return
  const rows = (
    await Promise.all(
      [...Map.groupBy(pending, ({ entity }) => entity)].map(async ([entity, pendingOfKind]) => {
        const entries = await searchableKinds[entity]?.load(
          db,
          pendingOfKind.map(({ id }) => id),
        )
        return pendingOfKind.map((row) => ({ ...row, entry: entries?.get(row.id) }))
      }),
    )
  ).flat()
  const storedByKey = await readStored(db, pending)
  const changedRows: IndexedRow[] = []
  const outdatedPositions: number[] = []
  for (const { entry, ...row } of rows) {
    const indexedRow = entry && toIndexedRow(row, entry)
    const stored = storedByKey.get(`${row.entity} ${row.id}`)
    if (indexedRow && isSame(indexedRow, stored)) continue
    if (stored) outdatedPositions.push(stored.position)
    if (indexedRow) changedRows.push(indexedRow)
  }
  await choosePositions(db, changedRows)
  await db.batch(createBatch(db, { pending, outdatedPositions, changedRows })).catch((error: unknown) => {
    // Another process indexed one of them concurrently; the next round sees its writes.
    if (!(error instanceof UniqueViolation)) throw error
  })
}

async function readStored(db: IndexServices['db'], pending: readonly PendingRow[]) {
  const rows = await db
    .selectFrom('search_entries')
    .selectAll()
    .where(
      'id',
      'in',
      pending.map(({ id }) => id),
    )
    .where('entity', 'in', [...new Set(pending.map(({ entity }) => entity))])
    .execute()
  return new Map(rows.map((row) => [`${row.entity} ${row.id}`, row]))
}

type StoredRow = Awaited<ReturnType<typeof readStored>> extends Map<string, infer Row> ? Row : never

/** An entry that got its position in a later attempt counts as changed. */
const isSame = (indexed: IndexedRow, stored: StoredRow | undefined) =>
  stored?.text === indexed.text &&
  stored.owner_id === indexed.ownerId &&
  stored.container_id === indexed.containerId &&
  stored.day === indexed.day &&
  stored.position === indexed.position

function toIndexedRow(row: PendingRow, entry: SearchableEntry): IndexedRow {
  const { ownerId, containerId, at, day, title, texts } = entry
  const text = [title, ...texts].map((part) => normalizeSearchText(part).trim()).join('\n')
  const grams = getGrams(text)
  const type = searchableKinds[row.entity]?.type ?? ''
  grams.add(getScopeGram('owner', ownerId)).add(getScopeGram('type', type)).add(getScopeGram('container', containerId))
  return {
    ...row,
    key: `${row.entity} ${row.id}`,
    at,
    ownerId,
    containerId,
    day,
    text,
    grams,
    position: toPosition(at, row.id, 0),
  }
}

/** Many entries, such as imported ones, can have the same time. `chosen` contains the positions of other rows in the batch. */
async function choosePositions(
  db: IndexServices['db'],
  rows: readonly IndexedRow[],
  chosen = new Set<number>(),
  attempt = 0,
): Promise<void> {
  if (rows.length === 0 || attempt === maxPositionAttempts) return
  const batch = await db
    .selectFrom('search_entries')
    .select(['position', 'entity', 'id'])
    .where(
      'position',
      'in',
      rows.map(({ position }) => position),
    )
    .execute()
  const keyByPosition = new Map(batch.map(({ position, entity, id }) => [position, `${entity} ${id}`]))
  const colliding: IndexedRow[] = []
  for (const row of rows) {
    const keyAtPosition = keyByPosition.get(row.position) ?? row.key
    if (chosen.has(row.position) || keyAtPosition !== row.key) colliding.push(row)
    else chosen.add(row.position)
  }
  for (const row of colliding) row.position = toPosition(row.at, row.id, attempt + 1)
  await choosePositions(db, colliding, chosen, attempt + 1)
}

interface IndexBatch {
  pending: readonly PendingRow[]
  outdatedPositions: readonly number[]
  changedRows: readonly IndexedRow[]
}

/**
 * SQLite writes a segment of its index when positions don't ascend or another table is written in between, so its
 * inserts are sorted and adjacent.
 */
function createBatch(db: IndexServices['db'], { pending, outdatedPositions, changedRows }: IndexBatch): Write[] {
  const marks = sql.join(pending.map(({ entity, id, mark }) => sql`(${entity}, ${id}, cast(${mark} as integer))`))
  const deletes =
    outdatedPositions.length === 0 ? [] : [db.deleteFrom('search_entries').where('position', 'in', outdatedPositions)]
  const removePending = sql`delete from search_pending where (entity, id, mark) in (values ${marks})`
  if (db.engine === 'postgres')
    return [
      lockPending(pending),
      ...deletes,
      ...changedRows.map((row) => createEntryWrite(row, toIntegers(row.grams))),
      removePending,
    ]
  const sortedRows = changedRows.toSorted((one, other) => one.position - other.position)
  const positions = sql.join(sortedRows.map(({ position }) => sql`${position}`))
  return [
    ...deletes,
    ...sortedRows.map((row) => createEntryWrite(row)),
    ...sortedRows.map(
      ({ position, grams }) => sql`insert into search_index (rowid, grams) values (${position}, ${toTokens(grams)})`,
    ),
    ...(sortedRows.length === 0
      ? []
      : [
          sql`delete from search_index where rowid in (${positions})
            and rowid not in (select position from search_entries where position in (${positions}))`,
        ]),
    removePending,
  ]
}

const lockPending = (pending: readonly PendingRow[]) =>
  sql`select 1 from search_pending
    where (entity, id) in (${sql.join(pending.map(({ entity, id }) => sql`(${entity}, ${id})`))}) order by entity, id for update`

const toIntegers = (grams: Iterable<number>) => sql`cast(${`{${[...grams].join(',')}}`} as integer[])`

/** Writes only while the entry is pending: deleting it for good also deletes its mark. */
function createEntryWrite(row: IndexedRow, grams?: RawBuilder<unknown>): Write {
  const { position, entity, id, ownerId, containerId, day, text } = row
  const values = [entity, id, ownerId, containerId, day, text].map((value) => sql`cast(${value} as text)`)
  return sql`insert into search_entries (position, entity, id, owner_id, container_id, day, text${grams ? sql`, grams` : sql``})
    select cast(${position} as bigint), ${sql.join(values)}${grams ? sql`, ${grams}` : sql``}
    where exists (select 1 from search_pending where entity = ${entity} and id = ${id})`
}

const checkIntervalMs = 2_000
/** Batches are short and followed by a pause, so that requests are handled in between. */
const sliceMs = 100
const pauseMs = 50

/** Indexes changes in the background. The returned function stops that and waits for the running batch. */
export function startIndexing(services: Services): () => Promise<void> {
  const stopController = new AbortController()
  let runningSlice = Promise.resolve()
  let timer: NodeJS.Timeout | undefined
  const schedule = (ms: number) => {
    if (stopController.signal.aborted) return
    timer = setTimeout(() => {
      runningSlice = indexSlice()
    }, ms)
    timer.unref()
  }
  async function indexSlice(): Promise<void> {
    try {
      const isDone = await indexPending(services, { budgetMs: sliceMs, signal: stopController.signal })
      schedule(isDone ? checkIntervalMs : pauseMs)
    } catch (error) {
      services.log.error({ err: error }, 'entries could not be indexed for search')
      schedule(checkIntervalMs)
    }
  }
  schedule(pauseMs)
  return async () => {
    clearTimeout(timer)
    stopController.abort()
    await runningSlice
  }
}
