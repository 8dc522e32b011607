import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { type Database, type Engine, json, openDatabase } from '#server/db/database.ts'
import { migrate } from '#server/db/migrate.ts'
import { migrations } from '#server/db/migrations/index.ts'
import { createFreshDatabase, engines } from '#tests/engines.ts'

const now = () => new Date('2026-11-21T04:05:06Z')

async function emptyDatabase(engine: Engine): Promise<{ db: Database; close(): Promise<void> }> {
  if (engine === 'postgres') {
    const fresh = await createFreshDatabase(engine)
    await fresh.db.write(sql`drop schema public cascade`)
    await fresh.db.write(sql`create schema public`)
    return fresh
  }
  const dataDir = mkdtempSync(join(tmpdir(), 'keeper-data-'))
  const db = await openDatabase({ dataDir })
  return {
    db,
    async close() {
      await db.close()
      rmSync(dataDir, { recursive: true })
    },
  }
}

it.each(engines)('the migration creates ledger rows for older runs on %s', async (engine) => {
  const { db, close } = await emptyDatabase(engine)
  try {
    const options = { dataDir: '', now, backup: false }
    await migrate(db, migrations.slice(0, 2), options)
    await db.write(sql`insert into people (id, email, email_folded, password_hash, created_at)
      values ('ada', 'a@b.example', 'a@b.example', 'x', 1)`)
    await db.write(sql`insert into agents (id, owner_id, slug, name, purpose, agent_class, context_scope, memory_enabled,
      tools, permissions, config, status, model_provider, model_settings, visibility, created_at, updated_at)
      values ('kip', 'ada', 'kip', 'Kip', 'p', 'Lead', '', ${false}, ${json([])}, ${json([])}, ${json({})}, 'ready',
        'openai', ${json({})}, 'public', 1, 1)`)
    for (const [id, status, source, person] of [
      ['own', 'success', 'personal', 'ada'],
      ['theirs', 'error', 'platform', null],
      ['mock', 'success', 'mock', 'ada'],
      ['running', 'running', 'platform', 'ada'],
    ] as const) {
      await db.write(sql`insert into runs (id, agent_id, agent_name, agent_slug, agent_class, agent_owner_id, agent_rev,
        person_id, input, response, status, error_code, model_provider, model, model_settings, key_source, mock_mode,
        attempts, input_tokens, output_tokens, cost_micros, usage_estimated, notes, created_at, execution_time_ms,
        lease_until, stop_requested)
        values (${id}, 'kip', 'Kip', 'kip', 'Lead', 'ada', 1, ${person}, 'q', 'a', ${status},
          ${status === 'error' ? 'provider-busy' : null}, 'openai', 'gpt-4o', ${json({})}, ${source}, ${source === 'mock'},
          1, 17, 23, 273, ${false}, ${json([])}, 5, ${status === 'error' ? null : 40}, 0, ${false})`)
    }
    await migrate(db, migrations, options)
    const rows = await db.selectFrom('model_calls').selectAll().orderBy('run_id').execute()
    expect(rows.map((row) => [row.run_id, row.payer, row.person_id, row.failure, row.duration_ms])).toEqual([
      ['mock', null, 'ada', null, 40],
      ['own', 'ada', 'ada', null, 40],
      ['theirs', 'platform', null, 'provider-busy', 0],
    ])
    expect(rows[1]).toMatchObject({ agent_owner_id: 'ada', input_tokens: 17, output_tokens: 23, cost_micros: 273 })
  } finally {
    await close()
  }
})
