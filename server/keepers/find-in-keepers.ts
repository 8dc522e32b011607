import { sql } from 'kysely'
import type { EndpointOutput } from '#contract/endpoint.ts'
import type { dashboards } from '#contract/keepers/dashboard.ts'
import type { Person } from '#server/accounts/person.ts'
import { containsWord, splitSearchWords } from '#server/db/contains-word.ts'
import type { Services } from '#server/services.ts'
import { createExcerpt, createPlainExcerpt, excerptSourceLength } from './excerpt.ts'

type PaletteResult = EndpointOutput<typeof dashboards.find>[number]
const maxPerKind = 6

export async function findInKeepers(services: Services, person: Person, q: string): Promise<PaletteResult[]> {
  const queryWords = splitSearchWords(q)
  const resultsByKind = await Promise.all([
    findKeepers(services, person, queryWords),
    ...searchSources.map((source) => findEntries(services, person, queryWords, source)),
  ])
  return resultsByKind.flat()
}

async function findKeepers({ db }: Services, person: Person, queryWords: string[]): Promise<PaletteResult[]> {
  let query = db
    .selectFrom('keepers')
    .select(['id', 'title', 'purpose'])
    .where('owner_id', '=', person.id)
    .where('deleted_at', 'is', null)
    .orderBy('created_at')
    .limit(maxPerKind)
  for (const word of queryWords) query = query.where(containsWord(db.engine, 'title', word))
  const rows = await query.execute()
  return rows.map(({ id, title, purpose }) => ({
    entity: 'keeper',
    id,
    keeperId: id,
    title,
    hint: createExcerpt(purpose),
  }))
}

interface SearchSource {
  entity: PaletteResult['entity']
  table: string
  name?: string
  markdown?: string
}
const searchSources: SearchSource[] = [
  { entity: 'journey', table: 'journeys', name: 'title' },
  { entity: 'topic', table: 'topics', name: 'name' },
  { entity: 'moment', table: 'moments', name: 'title', markdown: 'body' },
  { entity: 'logbook', table: 'logbook_entries', name: 'label' },
  { entity: 'voice', table: 'voice_entries', name: 'label' },
  { entity: 'card', table: 'memory_cards', markdown: 'content' },
]

interface EntryResultRow {
  id: string
  keeper_id: string
  keeper: string
  name: string | null
  markdown: string | null
}

async function findEntries(
  { db }: Services,
  person: Person,
  queryWords: string[],
  { entity, table, name, markdown }: SearchSource,
): Promise<PaletteResult[]> {
  const columns = [name, markdown].filter((column) => column !== undefined)
  const selectPrefix = (column: string | undefined) =>
    column === undefined
      ? sql<string | null>`null`
      : sql<string | null>`substr(${sql.ref(`entry.${column}`)}, 1, ${sql.lit(excerptSourceLength)})`
  let query = db
    .selectFrom(`${table} as entry` as 'topics as entry')
    .innerJoin('keepers', 'keepers.id', 'entry.keeper_id')
    .select(['entry.id', 'entry.keeper_id', 'keepers.title as keeper'])
    .select([selectPrefix(name).as('name'), selectPrefix(markdown).as('markdown')])
    .where('keepers.owner_id', '=', person.id)
    .where('keepers.deleted_at', 'is', null)
    .where('entry.deleted_at', 'is', null)
    .orderBy('entry.updated_at', 'desc')
    .limit(maxPerKind)
  if (entity === 'topic') query = query.where('entry.merged_into', 'is', null)
  for (const word of queryWords)
    query = query.where(({ or }) => or(columns.map((column) => containsWord(db.engine, `entry.${column}`, word))))
  const rows = await db.longRead<EntryResultRow>(query)
  return rows.map((row) => ({
    entity,
    id: row.id,
    keeperId: row.keeper_id,
    title: row.name ? createExcerpt(row.name) : createPlainExcerpt(row.markdown ?? ''),
    hint: row.keeper,
  }))
}
