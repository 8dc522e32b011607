import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Database } from '#server/db/database.ts'
import type { Schema } from '#server/db/schema.ts'

const tables: (keyof Schema)[] = [
  'people',
  'sessions',
  'one_time_links',
  'role_grants',
  'throttle_windows',
  'domains',
  'domain_members',
  'agents',
  'agent_grants',
  'agent_versions',
  'held_slugs',
  'golden_questions',
  'chat_sessions',
  'messages',
  'runs',
  'run_spans',
  'media',
  'provider_keys',
  'keeper_types',
  'keepers',
  'engagement_templates',
  'keeper_type_templates',
  'keeper_templates',
  'template_runs',
  'memory_patterns',
  'agent_classes',
  'reflections',
  'memory_cards',
  'card_vectors',
  'voice_entries',
  'echoes',
  'logbook_entries',
  'journeys',
  'paths',
  'waypoints',
  'waypoint_moments',
  'moments',
  'topics',
  'topic_aliases',
  'entry_topics',
  'topic_merges',
  'sole_versions',
  'sole_reviewers',
  'entry_history',
  'memory_reads',
  'invitations',
  'domain_keepers',
  'domain_journeys',
  'boards',
  'board_frames',
  'board_versions',
  'board_pictures',
  'board_templates',
  'domain_boards',
  'themes',
  'audit_events',
]

/** Every row of every table, in an order of its own: the same text for the same content. */
export async function wholeDatabase(db: Database, except: (keyof Schema)[] = []): Promise<string> {
  const parts: string[] = []
  for (const table of tables.filter((name) => !except.includes(name))) {
    const rows = await db.longRead<Record<string, unknown>>(sql`select * from ${sql.table(table)}`)
    parts.push(`# ${table}`, ...rows.map((row) => JSON.stringify(row)).sort())
  }
  return parts.join('\n')
}

export async function databaseHash(db: Database, except: (keyof Schema)[] = []): Promise<string> {
  return createHash('sha256')
    .update(await wholeDatabase(db, except))
    .digest('hex')
}

/** How many rows a table has. */
export async function rowCount(db: Database, table: keyof Schema): Promise<number> {
  const [row] = await db.longRead<{ count: number }>(sql`select count(*) as count from ${sql.table(table)}`)
  return Number(row?.count)
}
