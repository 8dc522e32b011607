import type { Dashboard } from '#contract/keepers/dashboard.ts'
import type { Services } from '#server/services.ts'
import type { KeeperRow } from '../keeper-access.ts'

const countedTables = {
  moments: 'moments',
  journeys: 'journeys',
  reflections: 'reflections',
  cards: 'memory_cards',
  voice: 'voice_entries',
  logbook: 'logbook_entries',
  sources: 'sources',
} as const

export async function countEntries({ db, now }: Services, keeper: KeeperRow): Promise<Dashboard['counts']> {
  const countActive = (table: (typeof countedTables)[keyof typeof countedTables]) =>
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
  const topics = db
    .selectFrom('topics')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('keeper_id', '=', keeper.id)
    .where('deleted_at', 'is', null)
    .where('merged_into', 'is', null)
  const readyEchoes = db
    .selectFrom('echoes')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('keeper_id', '=', keeper.id)
    .where('deleted_at', 'is', null)
    .where('delivered_at', 'is', null)
    .where((where) => where.or([where('ready_at', 'is not', null), where('trigger_at', '<=', now().getTime())]))
  const [counts] = await db.longRead<Dashboard['counts']>(
    db.selectNoFrom([
      ...Object.entries(countedTables).map(([name, table]) => countActive(table).as(name)),
      paths.as('paths'),
      countActive('memory_cards')
        .where('embedded_with' as 'id', 'is not', null)
        .as('cardsEmbedded'),
      topics.as('topics'),
      readyEchoes.as('echoesReady'),
    ]),
  )
  return Object.fromEntries(
    Object.entries(counts ?? {}).map(([name, count]) => [name, Number(count)]),
  ) as Dashboard['counts']
}
