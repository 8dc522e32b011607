import type { Migration } from '../migrate.ts'

const written = [
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
/**
 * What goes with a keeper, what lies in somebody's bin, and what has lain there too long, is found without reading the
 * tables of everybody; and so is when something was last written in a keeper, whatever lies in the bin by now. Not so for
 * the tables that nobody fills with tens of thousands, and not for cards: without figures SQLite then looks their words up
 * by the keeper, twenty times as slowly.
 */
export const indexesOfKeepers: Migration = {
  name: '0012-indexes-of-keepers',
  statements: () => [
    ...written.flatMap((table) => [
      `create index ${table}_in_bin on ${table} (owner_id, deleted_at) where deleted_at is not null`,
      `create index ${table}_by_deletion on ${table} (deleted_at) where deleted_at is not null`,
    ]),
    ...['moments', 'reflections'].map((table) => `create index ${table}_of_keeper on ${table} (keeper_id, created_at)`),
    // The one above holds the living ones too.
    'drop index moments_by_writing',
    ...['template_runs', 'entry_history', 'memory_reads', 'topic_merges'].map(
      (table) => `create index ${table}_of_keeper on ${table} (keeper_id)`,
    ),
    'create index topic_merges_of_topic on topic_merges (topic_id)',
    'create index keepers_by_deletion on keepers (deleted_at) where deleted_at is not null',
  ],
}
