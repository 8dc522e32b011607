import { type Selectable, sql } from 'kysely'
import type { Keeper } from '#contract/keepers/keepers.ts'
import { getSampleKeeperId } from '#contract/keepers/sample-keeper.ts'
import type { SoleDocument } from '#contract/keepers/sole-document.ts'
import type { Person } from '#server/accounts/person.ts'
import type { Schema } from '#server/db/schema.ts'
import { type PageOrder, parseCursor, readPage } from '#server/http/pages.ts'
import { Reply } from '#server/http/serve-area.ts'
import type { Services } from '#server/services.ts'
import { toIsoTime } from '#server/values/iso-time.ts'
import { getEntryTable } from './entries/entry-tables.ts'
import { type KeeperRow, selectOwnKeepers } from './keeper-access.ts'
import { loadCustomPatterns, patternHasStory } from './patterns/pattern-catalog.ts'

const countedEntities = ['reflection', 'card', 'voice', 'echo', 'logbook', 'moment'] as const

interface EntryCount {
  keeper_id: string
  entries: number
  first: number
  last: number
}

export async function toKeeper(services: Services, row: KeeperRow): Promise<Keeper> {
  return (await toKeepers(services, [row]))[0] as Keeper
}

async function toKeepers(services: Services, rows: readonly KeeperRow[]): Promise<Keeper[]> {
  if (rows.length === 0) return []
  const { db } = services
  const ids = rows.map(({ id }) => id)
  const [owners, types, templates, journeys, paths, versions, entryCounts, customPatterns] = await Promise.all([
    db
      .selectFrom('people')
      .select(['id', 'name'])
      .where('id', 'in', [...new Set(rows.map(({ owner_id }) => owner_id))])
      .execute(),
    db
      .selectFrom('keeper_types')
      .innerJoin('keepers', 'keepers.keeper_type_id', 'keeper_types.id')
      .select(['keeper_types.id', 'keeper_types.name', 'keeper_types.memory_pattern'])
      .distinct()
      .where('keepers.id', 'in', ids)
      .execute(),
    loadTemplates(services, ids),
    countByKeeper(services, 'journeys', ids),
    db
      .selectFrom('paths')
      .innerJoin('journeys', 'journeys.id', 'paths.journey_id')
      .select(['paths.keeper_id', (select) => select.fn.countAll<number>().as('count')])
      .where('paths.keeper_id', 'in', ids)
      .where('paths.deleted_at', 'is', null)
      .where('journeys.deleted_at', 'is', null)
      .groupBy('paths.keeper_id')
      .execute(),
    db
      .selectFrom('sole_versions')
      .selectAll()
      .where('keeper_id', 'in', ids)
      .where('status', 'in', ['draft', 'active'])
      .execute(),
    db.longRead(queryEntryCounts(services, ids)),
    loadCustomPatterns(services, rows),
  ])
  return rows.map((row) => {
    const getVersion = (status: 'draft' | 'active') =>
      versions.find((candidate) => candidate.keeper_id === row.id && candidate.status === status)
    const type = types.find(({ id }) => id === row.keeper_type_id)
    const entryCount = entryCounts.find(({ keeper_id }) => keeper_id === row.id)
    const active = getVersion('active')
    const draft = getVersion('draft')
    return {
      ...toKeeperFields(row),
      id: row.id,
      createdAt: toIsoTime(row.created_at),
      updatedAt: toIsoTime(row.updated_at),
      keepsStory: patternHasStory(row, customPatterns),
      ownerId: row.owner_id,
      owner: { id: row.owner_id, name: owners.find(({ id }) => id === row.owner_id)?.name ?? null },
      KeeperType: type ? { id: type.id, name: type.name, memoryPattern: type.memory_pattern } : null,
      engagement_templates: templates
        .filter(({ keeper_id }) => keeper_id === row.id)
        .map(({ id, label, slug, type }) => ({ id, label, slug, type })),
      _count: {
        Journey: journeys.get(row.id) ?? 0,
        Path: paths.find(({ keeper_id }) => keeper_id === row.id)?.count ?? 0,
      },
      sole: active ? toSoleDocument(active) : null,
      soleDraft: draft ? toSoleDocument(draft) : null,
      soleSubmittedAt: draft ? toIsoTime(draft.submitted_at) : null,
      entryCount: entryCount?.entries ?? 0,
      firstEntryAt: entryCount ? toIsoTime(entryCount.first) : null,
      lastEntryAt: entryCount ? toIsoTime(entryCount.last) : null,
    }
  })
}

export async function countByKeeper(
  { db }: Services,
  table: 'moments' | 'journeys' | 'logbook_entries',
  keeperIds: string[],
): Promise<Map<string, number>> {
  if (keeperIds.length === 0) return new Map()
  const rows = await db
    .selectFrom(table as 'moments')
    .select((select) => ['keeper_id', select.fn.countAll<number>().as('count')])
    .where('keeper_id', 'in', keeperIds)
    .where('deleted_at', 'is', null)
    .groupBy('keeper_id')
    .execute()
  return new Map(rows.map(({ keeper_id, count }) => [keeper_id, Number(count)]))
}

export function toKeeperFields(row: KeeperRow) {
  return {
    title: row.title,
    purpose: row.purpose,
    keeperType: row.keeper_type,
    keeperTypeId: row.keeper_type_id,
    memoryPattern: row.memory_pattern,
    theme: row.theme,
    isPublic: row.is_public,
    rev: row.rev,
  }
}

export function toSoleDocument(row: Selectable<Schema['sole_versions']>): SoleDocument {
  return {
    version: row.version,
    type: row.type,
    content: row.content,
    author: row.author_name,
    timestamp: toIsoTime(row.decided_at ?? row.submitted_at),
    editable: row.status === 'draft',
    statements: row.statements,
  }
}

const afterTypeTemplates = sql<number>`10000`

function loadTemplates({ db }: Services, ids: string[]) {
  const linkedTemplates = db
    .selectFrom('keeper_templates')
    .select(['keeper_templates.keeper_id', 'keeper_templates.template_id', afterTypeTemplates.as('position')])
    .where('keeper_templates.keeper_id', 'in', ids)
  const typeTemplates = db
    .selectFrom('keepers')
    .innerJoin('keeper_type_templates', 'keeper_type_templates.keeper_type_id', 'keepers.keeper_type_id')
    .select(['keepers.id as keeper_id', 'keeper_type_templates.template_id', 'keeper_type_templates.position'])
    .where('keepers.id', 'in', ids)
  return db
    .selectFrom(linkedTemplates.unionAll(typeTemplates).as('links'))
    .innerJoin('engagement_templates as template', 'template.id', 'links.template_id')
    .select(['links.keeper_id', 'template.id', 'template.label', 'template.slug', 'template.type'])
    .groupBy(['links.keeper_id', 'template.id', 'template.label', 'template.slug', 'template.type'])
    .orderBy((order) => order.fn.min('links.position'))
    .orderBy('template.label')
    .execute()
}

function queryEntryCounts({ db }: Services, ids: string[]) {
  const createCountQuery = (entity: (typeof countedEntities)[number]) =>
    db
      .selectFrom(getEntryTable(entity))
      .select((select) => [
        'keeper_id',
        select.fn.countAll<number>().as('entries'),
        // The first entry counts when it happened, the last one when it was written.
        select.fn.min(entity === 'moment' ? ('occurred_at' as 'created_at') : 'created_at').as('first'),
        select.fn.max('created_at').as('last'),
      ])
      .where('keeper_id', 'in', ids)
      .where('deleted_at', 'is', null)
      .groupBy('keeper_id')
  const [first, ...otherQueries] = countedEntities.map(createCountQuery)
  if (!first) throw new Error('There is nothing to count')
  const unionQuery = otherQueries.reduce((union, next) => union.unionAll(next), first)
  return db
    .selectFrom(unionQuery.as('counts'))
    .select((select) => [
      'counts.keeper_id',
      select.fn.sum<number>('counts.entries').as('entries'),
      select.fn.min('counts.first').as('first'),
      select.fn.max('counts.last').as('last'),
    ])
    .groupBy('counts.keeper_id')
    .$castTo<EntryCount>()
}

/** The first page has the newest keepers; each page is sorted oldest first, the sample last. @throws Problem 400 for an invalid cursor */
export async function listKeepers(
  services: Services,
  person: Pick<Person, 'id'>,
  cursor?: string,
): Promise<Reply<Keeper[]>> {
  const sampleId = getSampleKeeperId(person.id)
  const reverseOrder: PageOrder = [
    [sql`case when id = ${sampleId} then 1 else 0 end`, 'desc'],
    [sql.ref('created_at'), 'desc'],
    [sql.ref('id'), 'desc'],
  ]
  const { rows, next_cursor } = await readPage(selectOwnKeepers(services.db, person.id), {
    order: reverseOrder,
    after: parseCursor(cursor, ['number', 'number', 'string']),
    getPosition: ({ id, created_at }) => [id === sampleId ? 1 : 0, created_at, id],
  })
  return new Reply(await toKeepers(services, rows.toReversed()), { extra: { next_cursor } })
}
