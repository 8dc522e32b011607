import type { Migration } from '../migrate.ts'

const entryTables = [
  'reflections',
  'memory_cards',
  'voice_entries',
  'echoes',
  'logbook_entries',
  'moments',
  'journeys',
  'paths',
  'topics',
]
/** Indexes for deleting keepers, emptying the trash and the last write of a keeper. None for small tables, and none for cards: without statistics, SQLite would then search words by keeper, 20 times slower. */
export const keeperIndexes: Migration = {
  name: '0012-indexes-of-keepers',
  statements: () => [
    ...entryTables.flatMap((table) => [
      `create index ${table}_in_bin on ${table} (owner_id, deleted_at) where deleted_at is not null`,
      `create index ${table}_by_deletion on ${table} (deleted_at) where deleted_at is not null`,
    ]),
    ...['moments', 'reflections'].map((table) => `create index ${table}_of_keeper on ${table} (keeper_id, created_at)`),
    'drop index moments_by_writing',
    ...['template_runs', 'entry_history', 'memory_reads', 'topic_merges'].map(
      (table) => `create index ${table}_of_keeper on ${table} (keeper_id)`,
    ),
    'create index topic_merges_of_topic on topic_merges (topic_id)',
    'create index keepers_by_deletion on keepers (deleted_at) where deleted_at is not null',
  ],
}
