import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { compareStrings } from '#contract/compare-strings.ts'
import type { KeeperEvent } from '#contract/keepers/dashboard.ts'
import type { Person } from '#server/accounts/person.ts'
import type { Schema } from '#server/db/schema.ts'
import type { Services } from '#server/services.ts'
import { toIsoTime } from '#server/values/iso-time.ts'
import { type KeeperRow, selectOwnKeepers } from '../keeper-access.ts'

export async function listKeeperEvents(services: Services, person: Person, limit = 20): Promise<KeeperEvent[]> {
  const keepers = await findActiveKeepers(services, person, limit)
  const events = await Promise.all(keepers.map((keeper) => listRecentEvents(services, keeper, limit)))
  return events.flat().sort(compareNewestFirst).slice(0, limit)
}

/** The latest `limit` events all belong to the `limit` keepers that changed last. */
async function findActiveKeepers(services: Services, person: Person, limit: number): Promise<KeeperRow[]> {
  const ownKeepers = selectOwnKeepers(services.db, person.id).orderBy('created_at')
  const keepers = await ownKeepers.limit(limit + 1).execute()
  if (keepers.length <= limit) return keepers
  const ids = await findLastChangedIds(services, person, limit)
  return ownKeepers.where('id', 'in', ids).execute()
}

async function findLastChangedIds({ db }: Services, person: Person, limit: number): Promise<string[]> {
  const rowsByKind = await Promise.all(
    eventSources.map((source) => {
      const { table, timeColumn } = source
      const lastChangedSql = sql<
        number | null
      >`(select max(${sql.ref(timeColumn)}) from ${sql.table(table)} where keeper_id = keepers.id and ${whereEvent(source, person)})`
      const query = selectOwnKeepers(db, person.id)
        .clearSelect()
        .select(['id', sql<number>`coalesce(${lastChangedSql}, 0)`.as('at')])
        .orderBy('at', 'desc')
        .limit(limit)
      return db.longRead<{ id: string; at: number }>(query)
    }),
  )
  const newestRows = rowsByKind.flat().sort((a, b) => b.at - a.at)
  return [...new Set(newestRows.map(({ id }) => id))].slice(0, limit)
}

interface EventSource {
  table: keyof Schema
  timeColumn: string
  entity: KeeperEvent['entity']
  what: KeeperEvent['what']
  id?: RawBuilder<string>
  where?: RawBuilder<SqlBool> | ((owner: Pick<Person, 'id'>) => RawBuilder<SqlBool>)
}

const isActive = sql<SqlBool>`deleted_at is null`
const versionId = sql<string>`keeper_id || '.' || version`

/** Moments are dated by when they occurred, so that imported ones don't displace today's events. */
const eventSources: EventSource[] = [
  { table: 'reflections', timeColumn: 'created_at', entity: 'reflection', what: 'written' },
  { table: 'voice_entries', timeColumn: 'created_at', entity: 'voice', what: 'written' },
  { table: 'logbook_entries', timeColumn: 'created_at', entity: 'logbook', what: 'written' },
  { table: 'memory_cards', timeColumn: 'created_at', entity: 'card', what: 'kept' },
  { table: 'moments', timeColumn: 'occurred_at', entity: 'moment', what: 'written' },
  { table: 'echoes', timeColumn: 'ready_at', entity: 'echo', what: 'ready' },
  { table: 'echoes', timeColumn: 'delivered_at', entity: 'echo', what: 'delivered' },
  { table: 'journeys', timeColumn: 'completed_at', entity: 'journey', what: 'completed' },
  ...(['submitted', 'approved', 'rejected'] as const).map(
    (what): EventSource => ({
      table: 'sole_versions',
      timeColumn: what === 'submitted' ? 'submitted_at' : 'decided_at',
      entity: 'sole',
      what,
      id: versionId,
      where: what === 'submitted' ? sql`true` : sql`(status = 'rejected') = ${sql.lit(what === 'rejected')}`,
    }),
  ),
  {
    table: 'import_jobs',
    timeColumn: 'updated_at',
    entity: 'keeper',
    what: 'imported',
    where: (owner) => sql`owner_id = ${owner.id} and state = 'done'`,
  },
]

const whereEvent = ({ where = isActive }: EventSource, owner: Pick<Person, 'id'>) =>
  typeof where === 'function' ? where(owner) : where

export async function listRecentEvents(services: Services, keeper: KeeperRow, limit: number): Promise<KeeperEvent[]> {
  const events = await Promise.all(eventSources.map((source) => listEventsOfSource(services, keeper, source, limit)))
  return events.flat().sort(compareNewestFirst).slice(0, limit)
}

async function listEventsOfSource(
  { db }: Services,
  keeper: KeeperRow,
  source: EventSource,
  limit: number,
): Promise<KeeperEvent[]> {
  const { table, timeColumn, entity, what, id = sql.ref<string>('id') } = source
  const rows = await db
    .selectFrom(table as 'reflections')
    .select([id.as('entity_id'), sql.ref<number>(timeColumn).as('at')])
    .where('keeper_id', '=', keeper.id)
    .where(sql.ref(timeColumn), 'is not', null)
    .where(whereEvent(source, { id: keeper.owner_id }))
    .orderBy(sql.ref(timeColumn), 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
  return rows.map((row) => ({
    id: `${entity}.${row.entity_id}.${what}`,
    entity,
    entityId: row.entity_id,
    keeperId: keeper.id,
    keeperTitle: keeper.title,
    what,
    at: toIsoTime(row.at),
  }))
}

const compareNewestFirst = (a: KeeperEvent, b: KeeperEvent) => compareStrings(b.at, a.at) || compareStrings(a.id, b.id)
