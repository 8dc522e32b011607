import { json, type Write } from '#server/db/database.ts'
import type { Services } from '#server/services.ts'
import { buildTopicLinkWrites, resolveTopics } from '../topics/link-topics.ts'
import type { ImportNotes } from './import-notes.ts'
import type { ImportTarget, MomentPart } from './import-plan.ts'
import { createImportedId } from './imported-id.ts'
import { noteTexts } from './note-texts.ts'
import { type UnpackContext, unpackMedia } from './unpack-media.ts'

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
  {
    unpacking: unpackContext,
    jobId,
    sourceKind,
    notes,
  }: { unpacking: UnpackContext; jobId: string; sourceKind: string; notes: ImportNotes },
  part: MomentPart,
): Promise<Write[]> {
  const { id, into: keeper, occurredAt, sourceId } = part
  const topics = await resolveTopics(services, keeper, part.topics)
  const files: Write[] = []
  for (const [position, file] of part.files.entries()) {
    const writes = await unpackMedia(
      services,
      unpackContext,
      {
        file: file.file,
        mime: null,
        sha256: null,
        name: file.name ?? null,
        alt: file.alt ?? null,
        width: file.width ?? null,
        height: file.height ?? null,
        durationMs: file.durationMs ?? null,
      },
      {
        keeperId: keeper.id,
        ownerId: keeper.owner_id,
        entity: 'moment',
        entityId: id,
        position,
        id: createImportedId(jobId, 'media', `${sourceId} ${position}`),
        createdAt: occurredAt,
      },
    )
    if (writes.length === 0) notes.add(noteTexts.unknownKind, file.name ?? file.file.split('/').at(-1))
    files.push(...writes)
  }
  const moment = services.db
    .insertInto('moments')
    .values({
      id,
      keeper_id: keeper.id,
      owner_id: keeper.owner_id,
      created_at: occurredAt,
      updated_at: part.updatedAt,
      deleted_at: null,
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
    ...files,
    ...buildTopicLinkWrites(services, keeper, { entity: 'moment', id, saidAt: occurredAt }, topics),
  ]
}
