import type { RunSource } from '#contract/agents/runs.ts'
import { librarySourceKind, type StoredSourceMessage } from '#contract/keepers/sources.ts'
import type { Services } from '#server/services.ts'
import { toReadableText } from '#server/values/character-references.ts'
import { parseJsonColumn } from '../entries/entry-tables.ts'
import type { SourceRow } from '../sources/sources.ts'

/** Item and source ids: the document and its part. */
export const toExcerptId = (documentId: string, partId: string) => `${documentId}.${partId}`
export const toDocumentId = ({ id }: { id: string }) => id.slice(0, id.indexOf('.'))

export interface DocumentPart {
  id: string
  page: number | undefined
  position: number
  /** Plain text, as displayed to people. */
  text: string
}

export function toParts({ messages, source_kind }: Pick<SourceRow, 'messages' | 'source_kind'>): DocumentPart[] {
  const visible = parseJsonColumn<StoredSourceMessage[]>(messages).filter(({ hidden }) => !hidden)
  return visible.map(({ id, page, text }, position) => ({
    id,
    page,
    position,
    text: source_kind === librarySourceKind ? text : toReadableText(text),
  }))
}

/** Documents of this person that agents can quote now. */
export function selectQuotableDocuments({ db }: Pick<Services, 'db'>, personId: string) {
  return db
    .selectFrom('sources')
    .innerJoin('keepers', 'keepers.id', 'sources.keeper_id')
    .where('sources.owner_id', '=', personId)
    .where('sources.kind', '=', 'document')
    .where('sources.ai_visible', '=', true)
    .where('sources.deleted_at', 'is', null)
    .where('keepers.owner_id', '=', personId)
    .where('keepers.deleted_at', 'is', null)
}

export async function findWithdrawnDocuments(
  services: Services,
  personId: string,
  sources: readonly RunSource[],
): Promise<RunSource[]> {
  const documents = sources.filter(({ entity }) => entity === 'document')
  if (documents.length === 0) return []
  const rows = await selectQuotableDocuments(services, personId)
    .select('sources.id')
    .where('sources.id', 'in', [...new Set(documents.map(toDocumentId))])
    .execute()
  const quotable = new Set(rows.map(({ id }) => id))
  return documents.filter((source) => !quotable.has(toDocumentId(source)))
}
