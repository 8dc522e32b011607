import type { QuotableEntity, SoleSource } from '#contract/keepers/sole.ts'
import type { Services } from '#server/services.ts'
import { type EntryRow, getEntryTable } from '../entries/entry-tables.ts'
import { isOwnedIn, type KeeperRow } from '../keeper-access.ts'

export interface QuotableSource {
  texts: string[]
  /** When it was written, or when a moment occurred. Milliseconds. */
  writtenAt: number
}

type EntityReaders = { [Entity in QuotableEntity]: (row: EntryRow<Entity>) => QuotableSource & { quotable?: boolean } }

const compactTexts = (...texts: (string | null)[]) => texts.flatMap((text) => text ?? [])

const entityReaders: EntityReaders = {
  reflection: (row) => ({ texts: [row.content], writtenAt: row.created_at }),
  moment: (row) => ({ texts: compactTexts(row.body, row.title), writtenAt: row.occurred_at }),
  voice: (row) => ({ texts: compactTexts(row.belief, row.label, row.transcript), writtenAt: row.created_at }),
  logbook: (row) => ({ texts: [row.entry, row.label], writtenAt: row.created_at }),
  card: (row) => ({
    texts: [row.content],
    writtenAt: row.reflection_created_at ?? row.created_at,
    // An imported AI memory cannot be quoted until the owner approves it.
    quotable: row.state === 'active',
  }),
}

export const getSourceKey = ({ entity, id }: Pick<SoleSource, 'entity' | 'id'>) => `${entity} ${id}`

/** Quotable sources by {@link getSourceKey}: undeleted, in this keeper, and not marked "not for AI". */
export async function findQuotableSources(
  { db }: Services,
  keeper: Pick<KeeperRow, 'id' | 'owner_id'>,
  requested: readonly Pick<SoleSource, 'entity' | 'id'>[],
): Promise<Map<string, QuotableSource>> {
  const sourceByKey = new Map<string, QuotableSource>()
  for (const entity of new Set(requested.map((source) => source.entity))) {
    const ids = [...new Set(requested.filter((source) => source.entity === entity).map(({ id }) => id))]
    const rows = await db
      .selectFrom(getEntryTable(entity))
      .selectAll()
      .where('id', 'in', ids)
      .where(isOwnedIn(keeper))
      .where('ai_visible', '=', true)
      .execute()
    for (const row of rows) {
      const { quotable = true, ...source } = (
        entityReaders[entity] as (row: unknown) => ReturnType<EntityReaders[QuotableEntity]>
      )(row)
      if (quotable) sourceByKey.set(getSourceKey({ entity, id: row.id }), source)
    }
  }
  return sourceByKey
}
