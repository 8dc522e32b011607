import type { Dashboard } from '#contract/keepers/dashboard.ts'
import type { Services } from '#server/services.ts'
import type { KeeperRow } from '../keeper-access.ts'

const tables = {
  moments: 'moments',
  journeys: 'journeys',
  reflections: 'reflections',
  cards: 'memory_cards',
  voice: 'voice_entries',
  logbook: 'logbook_entries',
} as const

/** How many of each kind a keeper holds; what lies in the bin is not counted, nor are paths of journeys that do. */
export async function countEntries({ db, now }: Services, keeper: KeeperRow): Promise<Dashboard['counts']> {
  const living = (table: (typeof tables)[keyof typeof tables]) =>
    db
      .selectFrom(table as 'reflections')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('keeper_id', '=', keeper.id)
      .where('deleted_at', 'is', null)
  const paths = db
    .selectFrom('paths')
    .innerJoin('journeys', 'journeys.id', 'paths.journey_id')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('paths.keeper_id', '=', keeper.id)
    .where('paths.deleted_at', 'is', null)
    .where('journeys.deleted_at', 'is', null)
  const embedded = living('memory_cards').where('embedded_with' as 'id', 'is not', null)
  const topics = db
    .selectFrom('topics')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('keeper_id', '=', keeper.id)
    .where('deleted_at', 'is', null)
    .where('merged_into', 'is', null)
  const ready = db
    .selectFrom('echoes')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('keeper_id', '=', keeper.id)
    .where('deleted_at', 'is', null)
    .where('delivered_at', 'is', null)
    .where((where) => where.or([where('ready_at', 'is not', null), where('trigger_at', '<=', now().getTime())]))
  const countOf = async (query: { executeTakeFirstOrThrow(): Promise<{ count: number }> }) =>
    Number((await query.executeTakeFirstOrThrow()).count)
  const names = Object.keys(tables) as (keyof typeof tables)[]
  const [pathCount, embeddedCount, topicCount, readyCount, ...counts] = await Promise.all(
    [paths, embedded, topics, ready, ...names.map((name) => living(tables[name]))].map(countOf),
  )
  return {
    ...(Object.fromEntries(names.map((name, at) => [name, counts[at]])) as Record<keyof typeof tables, number>),
    paths: pathCount as number,
    cardsEmbedded: embeddedCount as number,
    topics: topicCount as number,
    echoesReady: readyCount as number,
  }
}
