import type { Insertable } from 'kysely'
import type { StoredSourceMessage } from '#contract/keepers/sources.ts'
import type { Write } from '#server/db/database.ts'
import type { Schema } from '#server/db/schema.ts'
import type { Services } from '#server/services.ts'
import { entryTables } from '../entries/entry-tables.ts'
import { parseJsonColumn } from '../entries/json-column.ts'
import { hasMedia } from '../media/attach-media.ts'
import { summarizeMessages } from '../sources/sources.ts'
import { buildTopicLinkWrites } from '../topics/link-topics.ts'
import type { ImportNotes } from './import-notes.ts'
import type { EntryPart } from './import-plan.ts'
import { createImportedId } from './imported-id.ts'
import { isInZip } from './media-in-zip.ts'
import { noteTexts } from './note-texts.ts'
import { type UnpackContext, unpackMedia } from './unpack-media.ts'

export async function createEntryWrites(
  services: Services,
  { unpackContext, notes }: { unpackContext: UnpackContext; notes: ImportNotes },
  part: EntryPart,
): Promise<Write[]> {
  const { keeper, entity, id, entry, columns, topicIds } = part
  const createdAt = Date.parse(entry.createdAt)
  const files: Write[] = []
  let audioId: string | null = null
  for (const [position, media] of (entry.media ?? []).entries()) {
    if (!hasMedia(entity) || !isInZip(unpackContext.zip, media)) continue
    const target = {
      keeperId: keeper.id,
      ownerId: keeper.owner_id,
      entity,
      entityId: id,
      position,
      createdAt,
      id: createImportedId(keeper.id, 'media', `${entity} ${entry.id} ${position}`),
    }
    const writes = await unpackMedia(services, unpackContext, media, target)
    if (writes.length > 0) audioId ??= target.id
    else {
      const reason = media.mime === null ? noteTexts.unknownKind : noteTexts.damagedFile
      notes.add(reason, media.name ?? media.file.split('/').at(-1))
    }
    files.push(...writes)
  }
  const row = {
    id,
    keeper_id: keeper.id,
    owner_id: keeper.owner_id,
    created_at: createdAt,
    updated_at: Date.parse(entry.updatedAt),
    deleted_at: null,
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
      .insertInto(entryTables[entity] as 'reflections')
      .values(row as unknown as Insertable<Schema['reflections']>)
      .onConflict((conflict) => conflict.doNothing()),
    ...files,
    ...(entity === 'journey' || entity === 'echo' || entity === 'source'
      ? []
      : buildTopicLinkWrites(services, keeper, { entity, id, saidAt: mentionedAt }, topics)),
  ]
}
