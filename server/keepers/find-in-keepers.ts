import { sql } from 'kysely'
import type { EndpointOutput } from '#contract/endpoint.ts'
import type { dashboards } from '#contract/keepers/dashboard.ts'
import { normalizeSearchText } from '#contract/search/normalize-search-text.ts'
import { matchesSearchQuery, parseSearchQuery, type SearchQuery } from '#contract/search/search-query.ts'
import type { Person } from '#server/accounts/person.ts'
import { findIndexed, indexOwn } from '#server/search-index/find-indexed.ts'
import { searchableKinds } from '#server/search-index/kinds.ts'
import type { Services } from '#server/services.ts'
import { createExcerpt, createPlainExcerpt, excerptSourceLength } from './excerpt.ts'

type PaletteResult = EndpointOutput<typeof dashboards.find>[number]
const maxPerKind = 6
const maxKeepers = 1_000
const entryKinds = ['journey', 'topic', 'moment', 'logbook', 'voice', 'card'] as const

export async function findInKeepers(services: Services, person: Person, q: string): Promise<PaletteResult[]> {
  const query = parseSearchQuery(q)
  if (query.required.length === 0) return []
  await indexOwn(services, person.id)
  const keepers = await services.db
    .selectFrom('keepers')
    .select(['id', 'title', 'purpose'])
    .where('owner_id', '=', person.id)
    .where('deleted_at', 'is', null)
    .orderBy('created_at')
    .limit(maxKeepers)
    .execute()
  const titles = new Map(keepers.map(({ id, title }) => [id, title]))
  const resultsByKind = await Promise.all(
    entryKinds.map((kind) => findEntries(services, person, { kind, query, titles })),
  )
  return [
    ...keepers
      .filter(({ title }) => matchesSearchQuery(normalizeSearchText(title), query))
      .slice(0, maxPerKind)
      .map(({ id, title, purpose }): PaletteResult => {
        return { entity: 'keeper', id, keeperId: id, title, hint: createExcerpt(purpose) }
      }),
    ...resultsByKind.flat(),
  ]
}

async function findEntries(
  services: Services,
  person: Person,
  { kind, query, titles }: { kind: (typeof entryKinds)[number]; query: SearchQuery; titles: Map<string, string> },
): Promise<PaletteResult[]> {
  const isInBin = sql`exists (select 1 from keepers
    where keepers.id = entry.container_id and keepers.deleted_at is not null)`
  const matches = await findIndexed(services, {
    ...{ ownerId: person.id, type: kind, query, limit: maxPerKind, conditions: [sql`not ${isInBin}`] },
  })
  const ids = matches.map(({ id }) => id)
  const entries = ids.length === 0 ? undefined : await searchableKinds[kind]?.load(services.db, ids)
  return ids.flatMap((id): PaletteResult[] => {
    const entry = entries?.get(id)
    if (!entry) return []
    const { title, texts, containerId: keeperId } = entry
    const [text = ''] = texts
    const line = title ? createExcerpt(title) : createPlainExcerpt(text.slice(0, excerptSourceLength))
    return [{ entity: kind, id, keeperId, title: line, hint: titles.get(keeperId) ?? '' }]
  })
}
