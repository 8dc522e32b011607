import { librarySourceKind, maxStoredDocuments, type StoredDocument } from '#contract/keepers/sources.ts'
import type { Person } from '#server/accounts/person.ts'
import type { Services } from '#server/services.ts'

/** Newest first. */
export async function listDocuments({ db }: Services, person: Person): Promise<StoredDocument[]> {
  const rows = await db
    .selectFrom('sources')
    .innerJoin('keepers', 'keepers.id', 'sources.keeper_id')
    .innerJoin('media', (join) => join.onRef('media.entity_id', '=', 'sources.id').on('media.entity', '=', 'source'))
    .select(['sources.id', 'sources.keeper_id', 'sources.title', 'sources.ai_visible', 'media.sha256'])
    .where('sources.owner_id', '=', person.id)
    .where('sources.source_kind', '=', librarySourceKind)
    .where('sources.deleted_at', 'is', null)
    .where('keepers.owner_id', '=', person.id)
    .where('keepers.deleted_at', 'is', null)
    .orderBy('sources.occurred_at', 'desc')
    .orderBy('sources.id', 'desc')
    .limit(maxStoredDocuments)
    .execute()
  return rows.map(({ id, keeper_id, title, ai_visible, sha256 }) => ({
    id,
    keeperId: keeper_id,
    title,
    sha256,
    agentsMayQuote: ai_visible,
  }))
}
