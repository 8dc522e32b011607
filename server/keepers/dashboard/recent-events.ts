import { type SqlBool, sql } from 'kysely'
import type { KeeperEvent } from '#contract/keepers/dashboard.ts'
import type { Person } from '#server/accounts/person.ts'
import type { Services } from '#server/services.ts'
import { toIsoTime } from '#server/values/iso-time.ts'
import type { KeeperRow } from '../keeper-access.ts'

type EventFields = Omit<KeeperEvent, 'id' | 'keeperId' | 'keeperTitle' | 'at'> & { at: number }
export async function listKeeperEvents(services: Services, person: Person, limit: number): Promise<KeeperEvent[]> {
  const keepers = await findActiveKeepers(services, person, limit)
  const events = await Promise.all(keepers.map((keeper) => listRecentEvents(services, keeper, limit)))
  return events.flat().sort(compareNewestFirst).slice(0, limit)
}

/** The latest `limit` events all belong to the `limit` keepers that changed last. */
async function findActiveKeepers(services: Services, person: Person, limit: number): Promise<KeeperRow[]> {
  const { db } = services
  const ownKeepers = db
    .selectFrom('keepers')
    .selectAll()
    .where('owner_id', '=', person.id)
    .where('deleted_at', 'is', null)
    .orderBy('created_at')
  const keepers = await ownKeepers.limit(limit + 1).execute()
  if (keepers.length <= limit) return keepers
  const ids = await findLastChangedIds(services, person, limit)
  return ownKeepers.where('id', 'in', ids).execute()
}

async function findLastChangedIds({ db }: Services, person: Person, limit: number): Promise<string[]> {
  const rowsByKind = await Promise.all(
    eventSources.map(({ table, at, where }) => {
      const lastChangedSql = sql<
        number | null
      >`(select max(${sql.ref(at)}) from ${sql.table(table)} where keeper_id = keepers.id and ${where(person)})`
      const query = db
        .selectFrom('keepers')
        .select(['id', sql<number>`coalesce(${lastChangedSql}, 0)`.as('at')])
        .where('owner_id', '=', person.id)
        .where('deleted_at', 'is', null)
        .orderBy('at', 'desc')
        .limit(limit)
      return db.longRead<{ id: string; at: number }>(query)
    }),
  )
  const newestRows = rowsByKind.flat().sort((a, b) => b.at - a.at)
  return [...new Set(newestRows.map(({ id }) => id))].slice(0, limit)
}

const isActive = () => sql`deleted_at is null`
const isFinishedImport = (personId: string) => sql<SqlBool>`owner_id = ${personId} and state = 'done'`
const eventSources = [
  { table: 'reflections', at: 'created_at', where: isActive },
  { table: 'voice_entries', at: 'created_at', where: isActive },
  { table: 'logbook_entries', at: 'created_at', where: isActive },
  { table: 'memory_cards', at: 'created_at', where: isActive },
  { table: 'moments', at: 'occurred_at', where: isActive },
  { table: 'echoes', at: 'ready_at', where: isActive },
  { table: 'echoes', at: 'delivered_at', where: isActive },
  { table: 'journeys', at: 'completed_at', where: isActive },
  { table: 'sole_versions', at: 'submitted_at', where: () => sql`true` },
  { table: 'sole_versions', at: 'decided_at', where: () => sql`true` },
  {
    table: 'import_jobs',
    at: 'updated_at',
    where: ({ id }: Person) => isFinishedImport(id),
  },
]

export async function listRecentEvents(services: Services, keeper: KeeperRow, limit: number): Promise<KeeperEvent[]> {
  const events = (
    await Promise.all([listWrittenEvents(services, keeper, limit), listDecidedEvents(services, keeper, limit)])
  ).flat()
  return events
    .map(({ at, ...event }) => ({
      ...event,
      id: `${event.entity}.${event.entityId}.${event.what}`,
      keeperId: keeper.id,
      keeperTitle: keeper.title,
      at: toIsoTime(at),
    }))
    .sort(compareNewestFirst)
    .slice(0, limit)
}

const compareNewestFirst = (a: KeeperEvent, b: KeeperEvent) =>
  a.at < b.at ? 1 : a.at > b.at ? -1 : a.id < b.id ? -1 : 1

async function listWrittenEvents({ db }: Services, keeper: KeeperRow, limit: number): Promise<EventFields[]> {
  const kinds = [
    ['reflection', 'reflections'],
    ['voice', 'voice_entries'],
    ['logbook', 'logbook_entries'],
    ['card', 'memory_cards'],
  ] as const
  const entries = kinds.map(async ([entity, table]) => {
    const rows = await db
      .selectFrom(table as 'reflections')
      .select(['id', 'created_at as at'])
      .where('keeper_id', '=', keeper.id)
      .where('deleted_at', 'is', null)
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .limit(limit)
      .execute()
    const eventKind = entity === 'card' ? ('kept' as const) : ('written' as const)
    return rows.map(({ id, at }): EventFields => ({ entity, entityId: id, what: eventKind, at }))
  })
  // By occurrence, so that imported moments do not crowd out today.
  const moments = db
    .selectFrom('moments')
    .select(['id', 'occurred_at as at'])
    .where('keeper_id', '=', keeper.id)
    .where('deleted_at', 'is', null)
    .orderBy('occurred_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
    .then((rows) => rows.map(({ id, at }): EventFields => ({ entity: 'moment', entityId: id, what: 'written', at })))
  return (await Promise.all([...entries, moments])).flat()
}

async function listDecidedEvents({ db }: Services, keeper: KeeperRow, limit: number): Promise<EventFields[]> {
  const [echoes, journeys, versions, imports] = await Promise.all([
    db
      .selectFrom('echoes')
      .select(['id', 'ready_at', 'delivered_at'])
      .where('keeper_id', '=', keeper.id)
      .where('deleted_at', 'is', null)
      .where((where) => where.or([where('ready_at', 'is not', null), where('delivered_at', 'is not', null)]))
      .orderBy(({ fn }) => fn.coalesce('delivered_at', 'ready_at'), 'desc')
      .limit(limit)
      .execute(),
    db
      .selectFrom('journeys')
      .select(['id', 'completed_at as at'])
      .where('keeper_id', '=', keeper.id)
      .where('deleted_at', 'is', null)
      .where('completed_at', 'is not', null)
      .orderBy('completed_at', 'desc')
      .limit(limit)
      .execute(),
    db
      .selectFrom('sole_versions')
      .select(['version', 'status', 'submitted_at', 'decided_at'])
      .where('keeper_id', '=', keeper.id)
      .orderBy('version', 'desc')
      .limit(limit)
      .execute(),
    db
      .selectFrom('import_jobs')
      .select(['id', 'updated_at as at'])
      .where('keeper_id', '=', keeper.id)
      .where(isFinishedImport(keeper.owner_id))
      .orderBy('updated_at', 'desc')
      .limit(limit)
      .execute(),
  ])
  return [
    ...echoes.flatMap(({ id, ready_at, delivered_at }): EventFields[] => [
      ...(ready_at === null ? [] : [{ entity: 'echo' as const, entityId: id, what: 'ready' as const, at: ready_at }]),
      ...(delivered_at === null
        ? []
        : [{ entity: 'echo' as const, entityId: id, what: 'delivered' as const, at: delivered_at }]),
    ]),
    ...journeys.map(({ id, at }): EventFields => ({ entity: 'journey', entityId: id, what: 'completed', at: at ?? 0 })),
    ...versions.flatMap(({ version, status, submitted_at, decided_at }): EventFields[] => {
      const entityId = `${keeper.id}.${version}`
      const submitted = { entity: 'sole' as const, entityId, what: 'submitted' as const, at: submitted_at }
      if (decided_at === null) return [submitted]
      const eventKind = status === 'rejected' ? ('rejected' as const) : ('approved' as const)
      return [submitted, { entity: 'sole', entityId, what: eventKind, at: decided_at }]
    }),
    ...imports.map(({ id, at }): EventFields => ({ entity: 'keeper', entityId: id, what: 'imported', at })),
  ]
}
