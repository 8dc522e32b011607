import { sql } from 'kysely'
import type { Endpoint } from '#contract/endpoint.ts'
import type { Database } from '#server/db/database.ts'
import { runAsPerson } from '#server/db/long-reads.ts'
import type { Log } from '#server/http/log.ts'
import { Problem } from '#server/http/problem.ts'
import type { Settings } from '#server/settings/settings.ts'
import { personTables } from './person-tables.ts'

export interface TextUsage {
  rows: number
  bytes: number
  /** `null`: unlimited. */
  maxRows: number | null
  maxBytes: number | null
}

interface UsageEntry {
  rows: number
  bytes: number
  addedRows: number
  addedBytes: number
  /** By `performance.now()` (ms). */
  lastCountAt: number
  isLoaded: boolean
  hasDeleted: boolean
  runningCount: Promise<void> | undefined
}

interface LimitOptions {
  withReserve: boolean
}

const megabyte = 1024 * 1024
const bytesPerRow = 200
const recountAfterMs = 5 * 60_000
const minRecountMs = 10_000
/** Characters an edit can grow without space, since dates and switches vary in length. */
const maxGrowthWithoutSpace = 64
const maxPeople = 10_000
/** Edits without space also store their previous state, so they can exceed the limit by this reserve. */
const minReserve = { bytes: megabyte, rows: 100 }
const getReserve = (max: number, min: number) => Math.max(Math.floor(max / 10), min)

/**
 * Space that people use. It is counted in the background; between counts each process adds the writes it received, so
 * that checking a write is cheap.
 */
export class PersonUsage {
  readonly getStorageEffect = getStorageEffect
  /** Bytes of a request that changes an entry and still works without space. */
  readonly maxEditWithoutSpace = 4096
  readonly #db: Database
  readonly #limits: Settings['limits']
  readonly #log: Log
  readonly #now: () => Date
  readonly #entries = new Map<string, UsageEntry>()

  constructor({ db, settings, log, now }: { db: Database; settings: Settings; log: Log; now: () => Date }) {
    this.#db = db
    this.#limits = settings.limits
    this.#log = log
    this.#now = now
  }

  /** False also if the person isn't loaded yet; call `requireSpace` then. */
  hasSpace(personId: string): boolean {
    return this.#isWithinLimit(personId, { withReserve: false })
  }

  /** @throws Problem 413 stating the usage */
  requireSpace(personId: string): Promise<void> {
    return this.#requireWithinLimit(personId, { withReserve: false })
  }

  /** For edits that are allowed without space, up to a reserve past the limit. @throws Problem 413 */
  requireReserve(personId: string): Promise<void> {
    return this.#requireWithinLimit(personId, { withReserve: true })
  }

  async #requireWithinLimit(personId: string, options: LimitOptions): Promise<void> {
    if (this.#isWithinLimit(personId, options)) return
    const entry = await this.#load(personId)
    if (this.#isWithinLimit(personId, options)) return
    // Data may have been deleted since, so nothing is refused without a fresh count.
    if (entry.hasDeleted || performance.now() - entry.lastCountAt >= minRecountMs) await this.count(personId)
    if (this.#isWithinLimit(personId, options)) return
    throw createSpaceUsedUpProblem(this.#toUsage(entry))
  }

  #isWithinLimit(personId: string, { withReserve }: LimitOptions): boolean {
    const { textBytesPerPerson: maxBytes, rowsPerPerson: maxRows } = this.#limits
    if (maxBytes === 0 && maxRows === 0) return true
    const entry = this.#entries.get(personId)
    if (!entry?.isLoaded) return false
    const isBelow = (used: number, max: number, min: number) =>
      max === 0 || used < max + (withReserve ? getReserve(max, min) : 0)
    return (
      isBelow(entry.bytes + entry.addedBytes, maxBytes, minReserve.bytes) &&
      isBelow(entry.rows + entry.addedRows, maxRows, minReserve.rows)
    )
  }

  async requireSpaceToGrow(personId: string, previousValue: unknown, nextValue: unknown): Promise<void> {
    if (this.hasSpace(personId)) return
    const isGrowing = JSON.stringify(nextValue).length > JSON.stringify(previousValue).length + maxGrowthWithoutSpace
    await this.#requireWithinLimit(personId, { withReserve: !isGrowing })
  }

  add(personId: string, bytes: number, rows = 1): void {
    const entry = this.#getEntry(personId)
    entry.addedBytes += bytes + rows * bytesPerRow
    entry.addedRows += rows
    if (entry.runningCount || !this.#isDue(entry)) return
    this.count(personId).catch((error: unknown) =>
      this.#log.error({ err: error, personId }, 'the usage of a person could not be counted'),
    )
  }

  recordDeletion(personId: string): void {
    const entry = this.#entries.get(personId)
    if (entry) entry.hasDeleted = true
  }

  async getUsage(personId: string): Promise<TextUsage> {
    await this.count(personId)
    return this.#toUsage(this.#getEntry(personId))
  }

  count(personId: string): Promise<void> {
    const entry = this.#getEntry(personId)
    entry.runningCount ??= this.#countNow(personId, entry).finally(() => {
      entry.runningCount = undefined
    })
    return entry.runningCount
  }

  async #countNow(personId: string, entry: UsageEntry): Promise<void> {
    const [addedRows, addedBytes, startedAt] = [entry.addedRows, entry.addedBytes, performance.now()]
    entry.hasDeleted = false
    const { rows, bytes } = await runAsPerson(personId, () => countRows(this.#db, personId))
    const counted_at = this.#now().getTime()
    await this.#db
      .insertInto('person_usage')
      .columns(['person_id', 'row_count', 'byte_count', 'counted_at'])
      .expression(({ selectFrom, val }) =>
        selectFrom('people')
          .select(['id', val(rows).as('row_count'), val(bytes).as('byte_count'), val(counted_at).as('counted_at')])
          .where('id', '=', personId),
      )
      .onConflict((conflict) =>
        conflict.column('person_id').doUpdateSet({ row_count: rows, byte_count: bytes, counted_at }),
      )
      .execute()
    Object.assign(entry, { rows, bytes, isLoaded: true, lastCountAt: startedAt } satisfies Partial<UsageEntry>)
    // Additions during the count may or may not be included, so they stay added until the next one.
    entry.addedRows -= addedRows
    entry.addedBytes -= addedBytes
  }

  async #load(personId: string): Promise<UsageEntry> {
    const entry = this.#getEntry(personId)
    if (entry.isLoaded) return entry
    const row = await this.#db
      .selectFrom('person_usage')
      .select(['row_count', 'byte_count'])
      .where('person_id', '=', personId)
      .executeTakeFirst()
    if (!entry.isLoaded) {
      Object.assign(entry, { rows: row?.row_count ?? 0, bytes: row?.byte_count ?? 0, isLoaded: true })
    }
    return entry
  }

  #getEntry(personId: string): UsageEntry {
    let entry = this.#entries.get(personId)
    if (!entry) {
      if (this.#entries.size >= maxPeople) this.#entries.clear()
      const counts = { rows: 0, bytes: 0, addedRows: 0, addedBytes: 0, hasDeleted: false }
      entry = { ...counts, lastCountAt: performance.now() - minRecountMs, isLoaded: false, runningCount: undefined }
      this.#entries.set(personId, entry)
    }
    return entry
  }

  /** Counts earlier if much was added: a twentieth of the remaining space, at least `minAdded`, at most 40 times that. */
  #isDue({ rows, bytes, addedRows, addedBytes, lastCountAt }: UsageEntry): boolean {
    const elapsed = performance.now() - lastCountAt
    if (elapsed >= recountAfterMs) return true
    const { textBytesPerPerson: maxBytes, rowsPerPerson: maxRows } = this.#limits
    const isLargeGrowth = (added: number, used: number, max: number, minAdded: number) =>
      max > 0 && added > Math.min(Math.max((max - used) / 20, minAdded), 40 * minAdded)
    return (
      elapsed >= minRecountMs &&
      (isLargeGrowth(addedBytes, bytes, maxBytes, megabyte) || isLargeGrowth(addedRows, rows, maxRows, 1_000))
    )
  }

  #toUsage({ rows, bytes, addedRows, addedBytes }: UsageEntry): TextUsage {
    const { textBytesPerPerson, rowsPerPerson } = this.#limits
    return {
      rows: rows + addedRows,
      bytes: bytes + addedBytes,
      maxRows: rowsPerPerson || null,
      maxBytes: textBytesPerPerson || null,
    }
  }
}

function createSpaceUsedUpProblem({ rows, bytes, maxRows, maxBytes }: TextUsage): Problem {
  const usageText =
    maxBytes !== null && bytes >= maxBytes
      ? `Your texts take ${formatMegabytes(bytes)} of the ${formatMegabytes(maxBytes)}`
      : `You have ${formatCount(rows)} of the ${formatCount(maxRows ?? 0)} entries and other rows`
  const message =
    `${usageText} each person has here, so your change wasn’t saved. ` +
    'Delete what you no longer need (deleted entries count for 30 days), or ask your administrator for more space.'
  return new Problem('too-large', { message, fields: { body: message } })
}

const formatCount = (count: number) => count.toLocaleString('en-US')
const formatMegabytes = (bytes: number) => `${formatCount(Math.ceil(bytes / megabyte))} MB`

async function countRows(db: Database, personId: string): Promise<{ rows: number; bytes: number }> {
  const total = { rows: 0, bytes: 0 }
  for (const { table, whereOwned, whereCounted, textColumns, jsonColumns } of personTables) {
    const [countedRow] = await db.longRead<{ rows: number | string; bytes: number | string }>(sql`
      select count(*) as rows, coalesce(sum(${selectSize(db, textColumns, jsonColumns)}), 0) as bytes
      from ${sql.table(table)} where ${(whereCounted ?? whereOwned)(personId)}`)
    total.rows += Number(countedRow?.rows)
    total.bytes += Number(countedRow?.bytes) + Number(countedRow?.rows) * bytesPerRow
  }
  return total
}

function selectSize(db: Database, textColumns: readonly string[], jsonColumns: readonly string[]) {
  const lengths = [
    ...textColumns.map((column) => sql`coalesce(octet_length(${sql.ref(column)}), 0)`),
    ...jsonColumns.map((column) =>
      db.engine === 'sqlite'
        ? sql`coalesce(octet_length(${sql.ref(column)}), 0)`
        : sql`coalesce(pg_column_size(${sql.ref(column)}), 0)`,
    ),
  ]
  return lengths.length === 0 ? sql`0` : sql.join(lengths, sql` + `)
}

/**
 * Without space: `nothing` and `deletion` always work, `checked` operations refuse growth themselves, small edits
 * (`edit`) work, and `addition` is refused.
 */
export type StorageEffect = 'nothing' | 'deletion' | 'checked' | 'edit' | 'addition'

const lowStorageAreas = new Set([
  ...[
    'accounts',
    'ownAccount',
    'administration',
    'audit',
    'keys',
    'diagnostics',
    'live',
    'boardLive',
    'usage',
    'models',
  ],
  ...['customDomains', 'domainSetups', 'people', 'sharing', 'sharingInDomains'],
])

const lowStorageCalls = new Set([
  ...['boards.restore', 'boardSharing.makeLink', 'boardSharing.share', 'themes.restore', 'entries.restore'],
  ...['domains.addMember', 'domains.agree', 'domains.changeMember', 'domains.makePrimary', 'domains.setCustomDomain'],
  ...['domains.transfer', 'echoes.deliver', 'engagementTemplates.linkToKeeper', 'goldenQuestions.stopRun'],
  ...['invitations.accept', 'invitations.look', 'invitations.resend', 'invitations.revoke'],
  ...['journeys.complete', 'keeperMedia.describe', 'keeperTypes.assign', 'keeperTypes.linkTemplate'],
  ...['keeperTypes.orderTemplates', 'reflections.rest', 'runs.decide', 'runs.stop', 'sole.allowReviewer'],
  ...['sole.approve', 'sole.reject', 'topics.undoMerge', 'transfer.chooseKeeper'],
])

const growthCheckedCalls = new Set([
  ...['boards.save', 'echoes.update', 'journeys.completeWaypoint', 'journeys.update', 'journeys.updatePath'],
  ...['keepers.update', 'logbook.update', 'memoryCards.update', 'moments.update', 'reflections.update'],
  ...['sources.update', 'topics.update', 'voice.update'],
])

export const classifiedCalls: ReadonlySet<string> = new Set([...lowStorageCalls, ...growthCheckedCalls])

export function getStorageEffect(area: string, name: string, { method, access }: Endpoint): StorageEffect {
  const call = `${area}.${name}`
  if (method === 'DELETE') return 'deletion'
  if (method === 'GET' || method === 'OPTIONS') return 'nothing'
  if (typeof access === 'object' || lowStorageAreas.has(area) || lowStorageCalls.has(call)) return 'nothing'
  if (growthCheckedCalls.has(call)) return 'checked'
  return method === 'POST' ? 'addition' : 'edit'
}
