import { type RawBuilder, sql } from 'kysely'
import type { Schema } from '#server/db/schema.ts'

export interface PersonTable {
  table: keyof Schema
  /** Rows to delete with the person. */
  isTheirs: (personId: string) => RawBuilder<unknown>
  /** Rows that count for the person, if fewer. */
  countsFor?: (personId: string) => RawBuilder<unknown>
  text: readonly string[]
  json: readonly string[]
  /** Deleted in batches before the account. */
  isDeletedInBatches?: true
}

const owned = (id: string) => sql`owner_id = ${id}`
const inTheirKeepers = (id: string) => sql`keeper_id in (select id from keepers where owner_id = ${id})`
const ofTheirBoards = (id: string) => sql`board_id in (select id from boards where owner_id = ${id})`
const ofTheirAgents = (id: string) => sql`agent_id in (select id from agents where owner_id = ${id})`
const ofTheirDomains = (id: string) => sql`domain_id in (select id from domains where owner_id = ${id})`
const byPerson = (id: string) => sql`person_id = ${id}`
const byOrToThem = (id: string) => sql`person_id = ${id} or agent_id in (select id from agents where owner_id = ${id})`
/** Visitors' use of one's agents counts for oneself, other people's for them. */
const byThemOrVisitors = (id: string) =>
  sql`person_id = ${id} or (person_id is null and agent_id in (select id from agents where owner_id = ${id}))`

const keeperTable = (table: keyof Schema, text: string[], json: string[] = []): PersonTable => ({
  ...{ table, isTheirs: inTheirKeepers, text, json, isDeletedInBatches: true },
})
const table = (
  name: keyof Schema,
  isTheirs: PersonTable['isTheirs'],
  text: string[],
  json: string[] = [],
): PersonTable => ({ table: name, isTheirs, text, json })
const inBatches = (listed: PersonTable): PersonTable => ({ ...listed, isDeletedInBatches: true })

/** All tables with people's rows, for counting and for deleting accounts. */
export const tablesOfPeople: readonly PersonTable[] = [
  keeperTable('memory_reads', ['agent_name', 'purpose']),
  keeperTable('entry_history', [], ['snapshot']),
  keeperTable('memory_cards', ['content', 'topic', 'words']),
  keeperTable('reflections', ['content', 'topic']),
  keeperTable('moments', ['title', 'body'], ['place', 'weather']),
  keeperTable('voice_entries', ['label', 'belief', 'transcript'], ['still_true']),
  keeperTable('echoes', ['message'], ['trigger_conditions']),
  keeperTable('logbook_entries', ['entry', 'label', 'category'], ['tags']),
  keeperTable('topics', ['name', 'note']),
  inBatches(table('boards', owned, ['name', 'description'])),
  inBatches(table('board_templates', owned, ['name', 'description'], ['config', 'frames'])),
  inBatches(table('media', byPerson, ['name', 'alt'])),
  inBatches(table('model_calls', byPerson, [])),
  inBatches({ ...table('chat_sessions', byOrToThem, ['name']), countsFor: byThemOrVisitors }),
  inBatches({
    ...table('runs', byOrToThem, ['input', 'response', 'error'], ['output', 'notes', 'tools', 'sources', 'overrides']),
    countsFor: byThemOrVisitors,
  }),
  table('messages', (id) => sql`session_id in (select id from chat_sessions where ${byThemOrVisitors(id)})`, [
    'content',
  ]),
  table(
    'run_spans',
    (id) => sql`run_id in (select id from runs where ${byThemOrVisitors(id)})`,
    [],
    ['input', 'output', 'memory'],
  ),
  table('tool_decisions', (id) => sql`run_id in (select id from runs where ${byThemOrVisitors(id)})`, ['call_id']),
  table('card_vectors', inTheirKeepers, ['vector', 'signs']),
  table('keepers', owned, ['title', 'purpose']),
  table('journeys', inTheirKeepers, ['title', 'purpose']),
  table('paths', inTheirKeepers, ['title']),
  table(
    'waypoints',
    (id) =>
      sql`path_id in (select paths.id from paths join keepers on keepers.id = keeper_id where keepers.owner_id = ${id})`,
    ['title', 'note'],
  ),
  table(
    'waypoint_moments',
    (id) =>
      sql`waypoint_id in (select waypoints.id from waypoints join paths on paths.id = path_id
        join keepers on keepers.id = keeper_id where keepers.owner_id = ${id})`,
    [],
  ),
  table('topic_aliases', inTheirKeepers, ['alias']),
  table('entry_topics', inTheirKeepers, []),
  table('topic_merges', inTheirKeepers, [], ['aliases']),
  table('topic_merge_links', (id) => sql`merge_id in (select id from topic_merges where ${inTheirKeepers(id)})`, []),
  table('template_runs', inTheirKeepers, [], ['answers', 'entries']),
  table('sole_versions', inTheirKeepers, ['content', 'reason'], ['statements', 'left_out', 'difference']),
  table('sole_reviewers', inTheirKeepers, []),
  table('keeper_templates', inTheirKeepers, []),
  table('embedding_jobs', inTheirKeepers, ['error']),
  table('import_jobs', owned, ['file_name', 'error'], ['preview']),
  table('board_frames', ofTheirBoards, [], ['data']),
  table('board_versions', ofTheirBoards, ['name'], ['snapshot']),
  table('board_pictures', byPerson, ['name']),
  table('agents', owned, ['name', 'purpose'], ['tools', 'permissions', 'config', 'model_settings']),
  table('agent_versions', ofTheirAgents, [], ['snapshot']),
  table('golden_questions', ofTheirAgents, ['question', 'expectation']),
  table('golden_runs', byPerson, [], ['candidate', 'results']),
  table('agent_grants', ofTheirAgents, []),
  table('agent_keeper_types', ofTheirAgents, []),
  table('held_slugs', owned, []),
  table('agent_classes', owned, ['name', 'description'], ['defaults']),
  table('keeper_types', owned, ['name', 'description']),
  table(
    'keeper_type_templates',
    (id) => sql`keeper_type_id in (select id from keeper_types where owner_id = ${id})`,
    [],
  ),
  table('engagement_templates', owned, ['label', 'description'], ['fields', 'steps']),
  table('memory_patterns', owned, ['name', 'description'], ['sections']),
  table('personal_tool_servers', owned, ['name', 'address', 'sealed']),
  table('themes', owned, ['name', 'note'], ['light', 'dark']),
  table('domains', owned, ['name', 'description']),
  table('domain_members', ofTheirDomains, ['note'], ['journey_ids']),
  table('invitations', ofTheirDomains, ['email', 'note']),
  table('domain_keepers', owned, []),
  table('domain_journeys', owned, []),
  table('domain_boards', owned, []),
  table('answered_creates', byPerson, ['answer']),
]
