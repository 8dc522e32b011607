import { json, type Write } from '#server/db/database.ts'
import type { Services } from '#server/services.ts'
import { summarizeMessages } from '../sources/sources.ts'
import type { ImportTarget, SourcePart } from './import-plan.ts'

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

/** A title given by the person or the app is kept. */
export function createSourceWrites(
  { db, now }: Services,
  { jobId, sourceKind }: { jobId: string; sourceKind: string },
  part: SourcePart,
): Write[] {
  const { id, into: keeper, title } = part
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
        deleted_at: null,
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
