import { sql } from 'kysely'
import type { Services } from '#server/services.ts'
import { toIsoTime, toIsoTimeOrNull } from '#server/values/iso-time.ts'
import { type EntryRow, getEntryTable } from '../entries/entry-tables.ts'
import type { KeeperRow } from '../keeper-access.ts'
import { hasMedia } from '../media/attach-media.ts'
import { resolveVersions } from '../sole/resolve-versions.ts'
import {
  type ArchivedEntity,
  archiveColumns,
  archivedEntities,
  type ColumnKind,
  toArchiveName,
} from './archive-columns.ts'
import {
  type ArchivedEntry,
  type ArchivedMedia,
  type ArchivedMergedTopic,
  type ArchivedPath,
  type ArchivedTopic,
  type ArchivedVersion,
  type ExportedMedia,
  getMediaPath,
} from './archive-format.ts'
import { archivedKeeperId, replaceLinkIds } from './archive-links.ts'

const pageSize = 500
/** Small, because a source can have several megabytes. */
const sourcePageSize = 10

/** Undeleted entries of one kind, in an order that doesn't depend on this server. */
export async function* streamEntries(
  services: Services,
  keeper: KeeperRow,
  entity: ArchivedEntity,
  origins: Origins,
): AsyncGenerator<ArchivedEntry> {
  const table = getEntryTable(entity)
  const origin = sql<string>`coalesce(source_id, id)`
  const limit = entity === 'source' ? sourcePageSize : pageSize
  let cursor: { at: number; origin: string } | undefined
  for (;;) {
    let query = services.db
      .selectFrom(table)
      .selectAll()
      .select(origin.as('origin'))
      .where('keeper_id', '=', keeper.id)
      .where('deleted_at', 'is', null)
      .orderBy('created_at')
      .orderBy(origin)
      .limit(limit)
    if (cursor)
      query = query.where(sql<boolean>`(created_at, coalesce(source_id, id)) > (${cursor.at}, ${cursor.origin})`)
    const rows = (await services.db.longRead<EntryRow<ArchivedEntity> & { origin: string }>(
      query,
    )) as (EntryRow<'reflection'> & {
      origin: string
    })[]
    const attachments = await loadAttachments(services, entity, rows, origins)
    for (const row of rows) yield toArchivedEntry(entity, row, origins, attachments)
    const last = rows.at(-1)
    if (!last || rows.length < limit) return
    cursor = { at: last.created_at, origin: last.origin }
  }
}

interface Attachments {
  topics: Map<string, string[]>
  media: Map<string, ArchivedMedia[]>
  paths: Map<string, ArchivedPath[]>
}

function toArchivedEntry(
  entity: ArchivedEntity,
  row: Record<string, unknown> & {
    id: string
    origin: string
    source_kind: string | null
    created_at: number
    updated_at: number
  },
  origins: Origins,
  { topics, media, paths }: Attachments,
): ArchivedEntry {
  const columns = Object.entries(archiveColumns[entity]).map(([column, kind]) => [
    toArchiveName(column),
    toArchivedValue(row[column], kind, origins),
  ])
  const entry: ArchivedEntry = {
    id: row.origin,
    source: row.source_kind === 'keeper' ? null : row.source_kind,
    createdAt: toIsoTime(row.created_at),
    updatedAt: toIsoTime(row.updated_at),
    ...Object.fromEntries(columns),
  }
  if (entity === 'echo') {
    replaceJourneyId(entry, origins)
    sealText(entry)
  }
  if (topics.has(row.id)) entry.topics = topics.get(row.id)
  if (media.has(row.id)) entry.media = media.get(row.id)
  if (entity === 'journey') entry.paths = paths.get(row.id) ?? []
  return entry
}

function toArchivedValue(value: unknown, kind: ColumnKind, origins: Origins): unknown {
  if (value === null || value === undefined) return null
  if (kind === 'time') return toIsoTime(value as number)
  if (typeof kind === 'object' && 'json' in kind) return typeof value === 'string' ? JSON.parse(value) : value
  if (typeof kind === 'object' && 'ref' in kind) return origins.get(kind.ref, value as string) ?? null
  return kind === 'text' ? origins.replaceLinks(String(value)) : value
}

function replaceJourneyId(entry: ArchivedEntry, origins: Origins): void {
  const conditions = entry.triggerConditions as { journeyId?: string } | null
  if (conditions?.journeyId)
    entry.triggerConditions = { ...conditions, journeyId: origins.get('journey', conditions.journeyId) ?? '' }
}

/** Writes a sealed text as base64, so that the archive contains it but no one reads it at a glance. */
function sealText(entry: ArchivedEntry): void {
  if (!entry.sealed || entry.deliveredAt !== null) return
  entry.sealedMessage = Buffer.from(String(entry.message)).toString('base64')
  entry.message = ''
}

async function loadAttachments(
  services: Services,
  entity: ArchivedEntity,
  rows: readonly { id: string }[],
  origins: Origins,
): Promise<Attachments> {
  const ids = rows.map(({ id }) => id)
  const emptyAttachments = { topics: new Map(), media: new Map(), paths: new Map() }
  if (ids.length === 0) return emptyAttachments
  if (entity === 'journey') return { ...emptyAttachments, paths: await loadPaths(services, ids, origins) }
  if (entity === 'echo') return emptyAttachments
  const [topicLinks, files] = await Promise.all([
    entity === 'source'
      ? []
      : services.db
          .selectFrom('entry_topics')
          .innerJoin('topics', 'topics.id', 'entry_topics.topic_id')
          .select(['entry_topics.entity_id', 'topics.name'])
          .where('entry_topics.entity', '=', entity)
          .where('entry_topics.entity_id', 'in', ids)
          .where('topics.deleted_at', 'is', null)
          .orderBy('topics.name_folded')
          .execute(),
    hasMedia(entity)
      ? services.db
          .selectFrom('media')
          .selectAll()
          .where('entity', '=', entity)
          .where('entity_id', 'in', ids)
          .orderBy('position')
          .execute()
      : [],
  ])
  const topics = Map.groupBy(topicLinks, (row) => row.entity_id)
  const media = Map.groupBy(files, (row) => row.entity_id ?? '')
  return {
    ...emptyAttachments,
    topics: new Map([...topics].map(([id, names]) => [id, names.map(({ name }) => name)])),
    media: new Map([...media].map(([id, fileRows]) => [id, fileRows.map(toArchivedMedia)])),
  }
}

export function toArchivedMedia(row: {
  sha256: string
  mime: string
  bytes: number
  name: string | null
  alt: string | null
  width: number | null
  height: number | null
  duration_ms: number | null
}): ExportedMedia {
  const { sha256, mime, bytes, name, alt, width, height, duration_ms } = row
  return { file: getMediaPath(row), sha256, mime, bytes, name, alt, width, height, durationMs: duration_ms }
}

async function loadPaths(
  { db }: Services,
  journeyIds: string[],
  origins: Origins,
): Promise<Map<string, ArchivedPath[]>> {
  const paths = await db
    .selectFrom('paths')
    .selectAll()
    .where('journey_id', 'in', journeyIds)
    .where('deleted_at', 'is', null)
    .orderBy('position')
    .orderBy('created_at')
    .orderBy('title')
    .execute()
  const pathIds = paths.map(({ id }) => id)
  const waypoints =
    pathIds.length === 0
      ? []
      : await db.selectFrom('waypoints').selectAll().where('path_id', 'in', pathIds).orderBy('position').execute()
  const waypointIds = waypoints.map(({ id }) => id)
  const waypointMoments =
    waypointIds.length === 0
      ? []
      : await db
          .selectFrom('waypoint_moments')
          .selectAll()
          .where('waypoint_id', 'in', waypointIds)
          .orderBy('position')
          .execute()
  const momentsByWaypoint = Map.groupBy(waypointMoments, (row) => row.waypoint_id)
  const waypointsByPath = Map.groupBy(waypoints, (row) => row.path_id)
  const pathsByJourney = Map.groupBy(paths, (path) => path.journey_id)
  return new Map(
    [...pathsByJourney].map(([id, journeyPaths]) => [
      id,
      journeyPaths.map((path) => ({
        title: path.title,
        state: path.state,
        createdAt: toIsoTime(path.created_at),
        updatedAt: toIsoTime(path.updated_at),
        waypoints: (waypointsByPath.get(path.id) ?? []).map((waypoint) => ({
          title: waypoint.title,
          note: waypoint.note,
          dueOn: waypoint.due_on,
          doneAt: toIsoTimeOrNull(waypoint.done_at),
          moments: (momentsByWaypoint.get(waypoint.id) ?? []).flatMap(
            ({ moment_id }) => origins.get('moment', moment_id) ?? [],
          ),
        })),
      })),
    ]),
  )
}

const toArchivedTopic = (row: EntryRow<'topic'>, aliases: string[]): ArchivedTopic => ({
  name: row.name,
  color: row.color,
  note: row.note,
  pinned: row.pinned,
  aliases,
  createdAt: toIsoTime(row.created_at),
  updatedAt: toIsoTime(row.updated_at),
})

export async function* streamTopics({ db }: Services, keeper: KeeperRow): AsyncGenerator<ArchivedTopic[]> {
  let last: EntryRow<'topic'> | undefined
  do {
    let query = db
      .selectFrom('topics')
      .selectAll()
      .where('keeper_id', '=', keeper.id)
      .where('deleted_at', 'is', null)
      .where('merged_into', 'is', null)
      .orderBy('name_folded')
      .limit(pageSize)
    if (last) query = query.where('name_folded', '>', last.name_folded)
    const rows = (await db.longRead(query)) as EntryRow<'topic'>[]
    last = rows.length < pageSize ? undefined : rows.at(-1)
    if (rows.length === 0) return
    const aliases = await db.longRead(
      db
        .selectFrom('topic_aliases')
        .select(['topic_id', 'alias'])
        .where('keeper_id', '=', keeper.id)
        .where(
          'topic_id',
          'in',
          rows.map(({ id }) => id),
        )
        .orderBy('alias_folded'),
    )
    const aliasesByTopic = Map.groupBy(aliases, (alias) => alias.topic_id)
    yield rows.map((row) => {
      const names = (aliasesByTopic.get(row.id) ?? []).map(({ alias }) => alias)
      return toArchivedTopic(row, names)
    })
  } while (last)
}

/** Merged topics, each after the one it was merged into. */
export async function loadMergedTopics({ db }: Services, keeper: KeeperRow): Promise<ArchivedMergedTopic[]> {
  const rows = await db
    .selectFrom('topic_merges')
    .innerJoin('topics', 'topics.id', 'topic_merges.topic_id')
    .innerJoin('topics as target', 'target.id', 'topic_merges.target_id')
    .selectAll('topics')
    .select(['topic_merges.aliases', 'topic_merges.merged_at'])
    .select(['target.name as into_name', 'target.merged_into as into_merged', 'target.deleted_at as into_deleted_at'])
    .where('topic_merges.keeper_id', '=', keeper.id)
    .where('topic_merges.undone_at', 'is', null)
    .where('topics.deleted_at', 'is', null)
    .orderBy('topics.name_folded')
    .orderBy('topic_merges.merged_at')
    .execute()
  const rowById = new Map(rows.map((row) => [row.id, row]))
  /** Number of merges up to an unmerged topic; infinite when that one is deleted. */
  const depths = new Map<string, number>()
  const getDepth = (row: (typeof rows)[number]): number => {
    const chain = []
    let ancestor: typeof row | undefined = row
    // Iterative, because a chain can exceed the stack depth.
    while (ancestor && !depths.has(ancestor.id) && ancestor.into_merged !== null) {
      chain.push(ancestor.id)
      ancestor = rowById.get(ancestor.merged_into ?? '')
    }
    let depth = Number.POSITIVE_INFINITY
    if (ancestor) {
      depth = depths.get(ancestor.id) ?? (ancestor.into_deleted_at === null ? 0 : Number.POSITIVE_INFINITY)
      depths.set(ancestor.id, depth)
    }
    for (const id of chain.toReversed()) {
      depth += 1
      depths.set(id, depth)
    }
    return depth
  }
  const ordered = rows
    .map((row) => ({ row, depth: getDepth(row) }))
    .filter(({ depth }) => Number.isFinite(depth))
    .toSorted((left, right) => left.depth - right.depth)
  const indexById = new Map(ordered.map(({ row }, index) => [row.id, index]))
  return ordered.map(({ row }): ArchivedMergedTopic => {
    const merged = indexById.get(row.merged_into ?? '')
    return {
      ...toArchivedTopic(row, row.aliases),
      into: merged === undefined ? { topic: row.into_name } : { merged },
      mergedAt: toIsoTime(row.merged_at),
    }
  })
}

export async function loadVersions(
  services: Services,
  keeper: KeeperRow,
  origins: Origins,
): Promise<ArchivedVersion[]> {
  const storedRows = await services.db
    .selectFrom('sole_versions')
    .selectAll()
    .where('keeper_id', '=', keeper.id)
    .orderBy('version')
    .execute()
  const rows = await resolveVersions(services, keeper.id, storedRows)
  const withOriginIds = (statements: ArchivedVersion['statements']) =>
    statements.map((statement) => ({
      ...statement,
      sources: statement.sources.map((source) => ({
        ...source,
        id: origins.get(source.entity, source.id) ?? source.id,
      })),
    }))
  return rows.map((row) => ({
    version: row.version,
    status: row.status,
    type: row.type,
    content: row.content,
    statements: withOriginIds(row.statements),
    leftOut: withOriginIds(row.left_out),
    authorKind: row.author_kind,
    authorName: row.author_name,
    basedOn: row.based_on,
    submittedAt: toIsoTime(row.submitted_at),
    decidedAt: toIsoTimeOrNull(row.decided_at),
    reason: row.reason,
  }))
}

export interface Origins {
  /** `undefined` for an entry that is not in the archive, such as a deleted one. */
  get(entity: ArchivedEntity, id: string): string | undefined
  /** Leads links within the keeper to ids of the archive. */
  replaceLinks(text: string): string
}

export async function loadOrigins({ db }: Services, keeper: KeeperRow): Promise<Origins> {
  const originById = new Map<string, string>()
  for (const entity of archivedEntities) {
    const rows = await db.longRead<{ id: string; origin: string }>(
      db
        .selectFrom(getEntryTable(entity))
        .select(['id', sql<string>`coalesce(source_id, id)`.as('origin')])
        .where('keeper_id', '=', keeper.id)
        .where('deleted_at', 'is', null),
    )
    for (const { id, origin } of rows) originById.set(`${entity} ${id}`, origin)
  }
  const get: Origins['get'] = (entity, id) => originById.get(`${entity} ${id}`)
  return { get, replaceLinks: (text) => replaceLinkIds(text, [keeper.id], archivedKeeperId, get) }
}
