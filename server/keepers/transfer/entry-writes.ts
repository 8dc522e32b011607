import { basename } from 'node:path/posix'
import type { Insertable } from 'kysely'
import type { StoredSourceMessage } from '#contract/keepers/sources.ts'
import { json, type Write } from '#server/db/database.ts'
import type { Schema } from '#server/db/schema.ts'
import type { Services } from '#server/services.ts'
import { getEntryTable, isTopical, parseJsonColumn } from '../entries/entry-tables.ts'
import { hasMedia } from '../media/attach-media.ts'
import { summarizeMessages } from '../sources/sources.ts'
import { buildTopicLinkWrites, resolveTopics } from '../topics/link-topics.ts'
import { createImportedId } from './archive-format.ts'
import { canImportFile, noteTexts } from './import-notes.ts'
import type { EntryPart, ImportTarget, MomentPart, SourcePart } from './import-plan.ts'
import { type PartContext, unpackMedia } from './unpack-media.ts'

/** Moments of earlier imports by source id. Includes deleted ones, because an import doesn't restore them. */
export async function findImportedIds(
  { db }: Services,
  keeper: ImportTarget,
  sourceKind: string,
): Promise<Map<string, string>> {
  const rows = await db.longRead<{ id: string; source_id: string | null }>(
    db
      .selectFrom('moments')
      .select(['id', 'source_id'])
      .where('keeper_id', '=', keeper.id)
      .where('source_kind', '=', sourceKind),
  )
  return new Map(rows.flatMap(({ id, source_id }) => (source_id === null ? [] : [[source_id, id] as const])))
}

export async function createMomentWrites(
  services: Services,
  { unpackContext, jobId, sourceKind, notes }: PartContext,
  part: MomentPart,
): Promise<Write[]> {
  const { id, target: keeper, occurredAt, sourceId } = part
  const topics = await resolveTopics(services, keeper, part.topics)
  const fileWrites: Write[] = []
  for (const [position, file] of part.files.entries()) {
    const writes = await unpackMedia(services, unpackContext, file, {
      id: createImportedId(jobId, 'media', `${sourceId} ${position}`),
      keeper,
      createdAt: occurredAt,
      entry: { entity: 'moment', id, position },
    })
    if (writes.length === 0) notes.add(noteTexts.unknownKind, file.name ?? basename(file.file))
    fileWrites.push(...writes)
  }
  const moment = services.db
    .insertInto('moments')
    .values({
      id,
      keeper_id: keeper.id,
      owner_id: keeper.owner_id,
      created_at: occurredAt,
      updated_at: part.updatedAt,
      occurred_at: occurredAt,
      local_date: part.localDate,
      timezone: part.timezone,
      title: part.title,
      body: part.text,
      mood_score: part.mood?.score ?? null,
      mood_label: part.mood?.label ?? null,
      place: part.place && json(part.place),
      weather: part.weather && json(part.weather),
      pinned: part.pinned,
      ai_visible: true,
      source_kind: sourceKind,
      source_id: sourceId,
      import_id: jobId,
    })
    .onConflict((conflict) => conflict.doNothing())
  return [
    moment,
    ...fileWrites,
    ...buildTopicLinkWrites(services, keeper, { entity: 'moment', id, saidAt: occurredAt }, topics),
  ]
}

export interface ExistingSource {
  id: string
  changedAt: number | null
  isDeleted: boolean
}

/** Sources of earlier imports by source id. An import doesn't restore deleted ones, unless their import was undone. */
export async function findExistingSources(
  { db }: Services,
  keeper: ImportTarget,
  sourceKind: string,
): Promise<Map<string, ExistingSource>> {
  const rows = await db.longRead<{
    id: string
    source_id: string | null
    changed_at: number | null
    deleted_at: number | null
  }>(
    db
      .selectFrom('sources')
      .leftJoin('import_jobs', 'import_jobs.id', 'sources.import_id')
      .select(['sources.id', 'sources.source_id', 'sources.changed_at', 'sources.deleted_at'])
      .where('sources.keeper_id', '=', keeper.id)
      .where('sources.source_kind', '=', sourceKind)
      .where((where) =>
        where.or([
          where('sources.deleted_at', 'is', null),
          where('import_jobs.state', 'is', null),
          where('import_jobs.state', '!=', 'undone'),
        ]),
      ),
  )
  return new Map(
    rows.flatMap(({ id, source_id, changed_at, deleted_at }) =>
      source_id === null ? [] : [[source_id, { id, changedAt: changed_at, isDeleted: deleted_at !== null }] as const],
    ),
  )
}

/** An update fills only an empty title. */
export function createSourceWrites(
  { db, now }: Services,
  { jobId, sourceKind }: Pick<PartContext, 'jobId' | 'sourceKind'>,
  part: SourcePart,
): Write[] {
  const { id, target: keeper, title } = part
  const content = {
    messages: json(part.messages),
    ...summarizeMessages(part.messages),
    current_message_id: part.currentMessageId,
    changed_at: part.changedAt,
    keepable: part.keepable,
    updated_at: now().getTime(),
  }
  if (part.isUpdate)
    return [
      db
        .updateTable('sources')
        .set((set) => ({
          ...content,
          rev: set('rev', '+', 1),
          title: set.case().when('title', '=', '').then(title).else(set.ref('title')).end(),
        }))
        .where('id', '=', id)
        .where('keeper_id', '=', keeper.id)
        .where('deleted_at', 'is', null),
    ]
  return [
    db
      .insertInto('sources')
      .values({
        ...content,
        id,
        keeper_id: keeper.id,
        owner_id: keeper.owner_id,
        created_at: now().getTime(),
        kind: part.sourceKind,
        title,
        occurred_at: part.occurredAt,
        ai_visible: false,
        source_kind: sourceKind,
        source_id: part.sourceId,
        import_id: jobId,
      })
      .onConflict((conflict) => conflict.doNothing()),
  ]
}

export async function createEntryWrites(
  services: Services,
  { unpackContext, notes }: Pick<PartContext, 'unpackContext' | 'notes'>,
  part: EntryPart,
): Promise<Write[]> {
  const { keeper, entity, id, entry, columns, topicIds } = part
  const createdAt = Date.parse(entry.createdAt)
  const fileWrites: Write[] = []
  let audioId: string | null = null
  for (const [position, media] of (entry.media ?? []).entries()) {
    if (!hasMedia(entity) || !canImportFile(unpackContext.zip, media)) continue
    const mediaId = createImportedId(keeper.id, 'media', `${entity} ${entry.id} ${position}`)
    const target = { id: mediaId, keeper, createdAt, entry: { entity, id, position } }
    const writes = await unpackMedia(services, unpackContext, media, target)
    if (writes.length > 0) audioId ??= mediaId
    else {
      const reason = media.mime === null ? noteTexts.unknownKind : noteTexts.damagedFile
      notes.add(reason, media.name ?? basename(media.file))
    }
    fileWrites.push(...writes)
  }
  const row = {
    id,
    keeper_id: keeper.id,
    owner_id: keeper.owner_id,
    created_at: createdAt,
    updated_at: Date.parse(entry.updatedAt),
    source_kind: entry.source ?? 'keeper',
    source_id: entry.id,
    ...columns,
    ...(entity === 'voice' && { audio_id: audioId }),
    ...(entity === 'source' && {
      title: columns.title ?? '',
      ...summarizeMessages(parseJsonColumn(columns.messages as StoredSourceMessage[])),
    }),
  }
  const topics = topicIds.map((topicId) => ({ id: topicId, name: '', color: 'ochre' as const }))
  const mentionedAt = typeof columns.occurred_at === 'number' ? columns.occurred_at : createdAt
  return [
    services.db
      .insertInto(getEntryTable(entity))
      .values(row as unknown as Insertable<Schema['reflections']>)
      .onConflict((conflict) => conflict.doNothing()),
    ...fileWrites,
    ...(isTopical(entity) ? buildTopicLinkWrites(services, keeper, { entity, id, saidAt: mentionedAt }, topics) : []),
  ]
}
