import { type RawBuilder, sql } from 'kysely'
import type { Schema } from '#server/db/schema.ts'

export interface PersonTable {
  table: keyof Schema
  /** Rows to delete with the account; they also count against its quota, unless `whereCounted` is set. */
  whereOwned: (personId: string) => RawBuilder<unknown>
  /** Rows that count against the person's quota, if they differ from the owned ones. */
  whereCounted?: (personId: string) => RawBuilder<unknown>
  textColumns: readonly string[]
  jsonColumns: readonly string[]
  isDeletedInBatches?: true
}

const whereOwner = (id: string) => sql`owner_id = ${id}`
const whereInOwnKeepers = (id: string) => sql`keeper_id in (select id from keepers where owner_id = ${id})`
const whereOnOwnBoards = (id: string) => sql`board_id in (select id from boards where owner_id = ${id})`
const whereOfOwnAgents = (id: string) => sql`agent_id in (select id from agents where owner_id = ${id})`
const whereOfOwnConnections = (id: string) => sql`connection_id in (select id from connections where owner_id = ${id})`
const whereInOwnDomains = (id: string) => sql`domain_id in (select id from domains where owner_id = ${id})`
const wherePerson = (id: string) => sql`person_id = ${id}`
const wherePersonOrOwnAgent = (id: string) =>
  sql`person_id = ${id} or agent_id in (select id from agents where owner_id = ${id})`
/** Visitors' usage of an agent counts for its owner; other people's usage counts for them. */
const wherePersonOrVisitor = (id: string) =>
  sql`person_id = ${id} or (person_id is null and agent_id in (select id from agents where owner_id = ${id}))`

const defineKeeperTable = (name: keyof Schema, textColumns: string[], jsonColumns: string[] = []): PersonTable => ({
  table: name,
  whereOwned: whereInOwnKeepers,
  textColumns,
  jsonColumns,
  isDeletedInBatches: true,
})
const defineTable = (
  name: keyof Schema,
  whereOwned: PersonTable['whereOwned'],
  textColumns: string[],
  jsonColumns: string[] = [],
): PersonTable => ({ table: name, whereOwned, textColumns, jsonColumns })
const deleteInBatches = (table: PersonTable): PersonTable => ({ ...table, isDeletedInBatches: true })

export const personTables: readonly PersonTable[] = [
  defineKeeperTable('memory_reads', ['agent_name', 'purpose']),
  defineKeeperTable('entry_history', [], ['snapshot']),
  defineKeeperTable('memory_cards', ['content', 'topic', 'words']),
  defineKeeperTable('reflections', ['content', 'topic']),
  defineKeeperTable('moments', ['title', 'body'], ['place', 'weather']),
  defineKeeperTable('voice_entries', ['label', 'belief', 'transcript'], ['still_true']),
  defineKeeperTable('echoes', ['message'], ['trigger_conditions']),
  defineKeeperTable('logbook_entries', ['entry', 'label', 'category'], ['tags']),
  defineKeeperTable('topics', ['name', 'note']),
  defineKeeperTable('sources', ['title', 'text'], ['messages']),
  deleteInBatches(defineTable('boards', whereOwner, ['name', 'description'])),
  deleteInBatches(defineTable('board_templates', whereOwner, ['name', 'description'], ['config', 'frames'])),
  deleteInBatches(defineTable('media', wherePerson, ['name', 'alt'])),
  deleteInBatches(defineTable('model_calls', wherePerson, [])),
  deleteInBatches({
    ...defineTable('chat_sessions', wherePersonOrOwnAgent, ['name']),
    whereCounted: wherePersonOrVisitor,
  }),
  deleteInBatches({
    ...defineTable(
      'runs',
      wherePersonOrOwnAgent,
      ['input', 'response', 'error'],
      ['output', 'notes', 'tools', 'sources', 'overrides'],
    ),
    whereCounted: wherePersonOrVisitor,
  }),
  defineTable('messages', (id) => sql`session_id in (select id from chat_sessions where ${wherePersonOrVisitor(id)})`, [
    'content',
  ]),
  defineTable(
    'run_spans',
    (id) => sql`run_id in (select id from runs where ${wherePersonOrVisitor(id)})`,
    [],
    ['input', 'output', 'memory'],
  ),
  defineTable('tool_decisions', (id) => sql`run_id in (select id from runs where ${wherePersonOrVisitor(id)})`, [
    'call_id',
  ]),
  defineTable('card_vectors', whereInOwnKeepers, ['vector', 'signs']),
  defineTable('keepers', whereOwner, ['title', 'purpose']),
  defineTable('journeys', whereInOwnKeepers, ['title', 'purpose']),
  defineTable('paths', whereInOwnKeepers, ['title']),
  defineTable(
    'waypoints',
    (id) =>
      sql`path_id in (select paths.id from paths join keepers on keepers.id = keeper_id where keepers.owner_id = ${id})`,
    ['title', 'note'],
  ),
  defineTable(
    'waypoint_moments',
    (id) =>
      sql`waypoint_id in (select waypoints.id from waypoints join paths on paths.id = path_id
        join keepers on keepers.id = keeper_id where keepers.owner_id = ${id})`,
    [],
  ),
  defineTable('topic_aliases', whereInOwnKeepers, ['alias']),
  defineTable('entry_topics', whereInOwnKeepers, []),
  defineTable('topic_merges', whereInOwnKeepers, [], ['aliases']),
  defineTable(
    'topic_merge_links',
    (id) => sql`merge_id in (select id from topic_merges where ${whereInOwnKeepers(id)})`,
    [],
  ),
  defineTable('template_runs', whereInOwnKeepers, [], ['answers', 'entries']),
  defineTable('sole_versions', whereInOwnKeepers, ['content', 'reason'], ['statements', 'left_out', 'difference']),
  defineTable('sole_reviewers', whereInOwnKeepers, []),
  defineTable('keeper_templates', whereInOwnKeepers, []),
  defineTable('embedding_jobs', whereInOwnKeepers, ['error']),
  defineTable('import_jobs', whereOwner, ['file_name', 'error'], ['preview']),
  defineTable('board_frames', whereOnOwnBoards, [], ['data']),
  defineTable('board_versions', whereOnOwnBoards, ['name'], ['snapshot']),
  defineTable('board_pictures', wherePerson, ['name']),
  defineTable('agents', whereOwner, ['name', 'purpose'], ['tools', 'permissions', 'config', 'model_settings']),
  defineTable('agent_versions', whereOfOwnAgents, [], ['snapshot']),
  defineTable('golden_questions', whereOfOwnAgents, ['question', 'expectation']),
  defineTable('golden_runs', wherePerson, [], ['candidate', 'results']),
  defineTable('agent_grants', whereOfOwnAgents, []),
  defineTable('agent_keeper_types', whereOfOwnAgents, []),
  defineTable('held_slugs', whereOwner, []),
  defineTable('agent_classes', whereOwner, ['name', 'description'], ['defaults']),
  defineTable('keeper_types', whereOwner, ['name', 'description']),
  defineTable(
    'keeper_type_templates',
    (id) => sql`keeper_type_id in (select id from keeper_types where owner_id = ${id})`,
    [],
  ),
  defineTable('engagement_templates', whereOwner, ['label', 'description'], ['fields', 'steps']),
  defineTable('memory_patterns', whereOwner, ['name', 'description'], ['sections']),
  defineTable('personal_tool_servers', whereOwner, ['name', 'address', 'sealed']),
  defineTable(
    'chat_fingerprints',
    (id) => sql`session_id in (select id from chat_sessions where ${wherePersonOrVisitor(id)})`,
    [],
  ),
  defineTable('proposals', whereOwner, ['content', 'topic', 'words', 'reason']),
  defineTable('proposal_senders', (id) => sql`proposal_id in (select id from proposals where owner_id = ${id})`, [
    'name',
    'content',
    'quote',
  ]),
  defineTable('connections', whereOwner, ['name', 'purpose'], ['topics', 'keeper_ids']),
  defineTable('connection_tokens', whereOfOwnConnections, []),
  defineTable('oauth_codes', whereOfOwnConnections, []),
  defineTable('themes', whereOwner, ['name', 'note'], ['light', 'dark']),
  defineTable('domains', whereOwner, ['name', 'description']),
  defineTable('domain_members', whereInOwnDomains, ['note'], ['journey_ids']),
  defineTable('invitations', whereInOwnDomains, ['email', 'note']),
  defineTable('domain_keepers', whereOwner, []),
  defineTable('domain_journeys', whereOwner, []),
  defineTable('domain_boards', whereOwner, []),
  defineTable('answered_creates', wherePerson, ['answer']),
]
