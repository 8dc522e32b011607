import { rmSync } from 'node:fs'
import { sql } from 'kysely'
import { afterEach, expect, test, vi } from 'vitest'
import { parseSearchQuery } from '#contract/search/search-query.ts'
import { register } from '#server/accounts/register.ts'
import { createBackup } from '#server/db/backup.ts'
import { type Database, type Engine, openDatabase } from '#server/db/database.ts'
import { migrate } from '#server/db/migrate.ts'
import { migrations } from '#server/db/migrations/index.ts'
import { restoreBackup } from '#server/db/restore.ts'
import { createLog } from '#server/http/log.ts'
import type { Services } from '#server/services.ts'
import { readSettings } from '#server/settings/settings.ts'
import { createServices } from '#server/start/create-services.ts'
import { cast } from '#tests/cast.ts'
import { createFreshDatabase, engines, type FreshDatabase } from '#tests/engines.ts'
import { createDatabaseAtVersion } from '#tests/released-databases.ts'
import { findIndexed, indexChanges } from './find-indexed.ts'
import { indexPending } from './index-pending.ts'

const enginePairs = engines.flatMap((from) => engines.map((to): [Engine, Engine] => [from, to]))
const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanUp of cleanups.splice(0).reverse()) await cleanUp()
})

async function createInstallation(engine: Engine): Promise<FreshDatabase> {
  const database = await createFreshDatabase(engine)
  cleanups.push(() => database.close())
  return database
}

function createServicesOn(db: Database): Services {
  const settings = readSettings({})
  const log = createLog('silent', { write: () => undefined })
  return createServices({ db, settings, log, masterSecret: 'a secret that only tests use, long enough' })
}

async function insertMoment(db: Database, ownerId: string, id: string, body: string): Promise<void> {
  await db.write(sql`insert into keepers (id, owner_id, title, purpose, keeper_type, memory_pattern, theme, is_public,
    created_at, updated_at) values ('k', ${ownerId}, 'K', 'p', 'journal', 'sole', 'keeper-classic', ${false}, 0, 0)
    on conflict do nothing`)
  await db.write(sql`insert into moments (id, keeper_id, owner_id, created_at, updated_at, occurred_at, local_date,
    timezone, body, pinned, ai_visible) values (${id}, 'k', ${ownerId}, 0, 0, 0, '1970-01-01', 'UTC', ${body}, ${false},
    ${true})`)
}

async function findIds(db: Database, ownerId: string, q: string): Promise<string[]> {
  expect(await indexChanges({ db }, ownerId)).toBe(true)
  const matches = await findIndexed({ db }, { ownerId, query: parseSearchQuery(q), limit: 10 })
  return matches.map(({ id }) => id).toSorted()
}

test.each(enginePairs)('entries in a backup of %s are found on %s, indexed or not', async (from, to) => {
  const source = await createInstallation(from)
  const { user } = await register(createServicesOn(source.db), cast.ada, '127.0.0.1')
  await insertMoment(source.db, user.id, 'a', 'Ein Café am Hafen')
  await indexPending({ db: source.db }, { budgetMs: 5_000 })
  await insertMoment(source.db, user.id, 'b', 'Kein Café')
  const { path } = await createBackup(source, new Date('2026-11-21T04:05:06.789Z'), null)
  const target = await createInstallation(to)
  await target.db.close()
  // PostgreSQL counts a connection for a moment after it closed.
  const { movedPaths } = await vi.waitFor(
    () => restoreBackup(path, target, { migrations, now: new Date(), keyFingerprint: null }),
    { timeout: 20_000 },
  )
  for (const folder of movedPaths) cleanups.push(() => rmSync(folder, { recursive: true, force: true }))
  const db = await openDatabase(target)
  cleanups.push(() => db.close())
  expect(await findIds(db, user.id, 'cafe')).toEqual(['a', 'b'])
  expect(await findIds(db, user.id, 'hafen')).toEqual(['a'])
})

test.each(engines)('an upgrade marks every existing entry, on %s', async (engine) => {
  const oldDatabase = await createDatabaseAtVersion(engine, 25)
  cleanups.push(() => oldDatabase.close())
  await migrate(oldDatabase.db, migrations, { dataDir: oldDatabase.dataDir, now: () => new Date(), backup: false })
  const pending = await oldDatabase.db.selectFrom('search_pending').select('entity').distinct().execute()
  expect(pending.map(({ entity }) => entity)).toContain('chat')
  expect(await indexPending({ db: oldDatabase.db }, { budgetMs: 20_000 })).toBe(true)
  const rows = await oldDatabase.db.selectFrom('search_entries').select('entity').distinct().execute()
  expect(rows.map(({ entity }) => entity)).toContain('frame')
})

test.each(engines)('an entry deleted while it is being indexed stays deleted, on %s', async (engine) => {
  const { db } = await createInstallation(engine)
  const { user } = await register(createServicesOn(db), cast.ada, '127.0.0.1')
  for (let round = 0; round < 5; round++) {
    for (let index = 0; index < 20; index++) await insertMoment(db, user.id, `${round} ${index}`, 'Ghost')
    await Promise.all([
      indexPending({ db }, { budgetMs: 5_000 }),
      db.write(sql`delete from moments where owner_id = ${user.id}`),
    ])
    expect(await indexPending({ db }, { budgetMs: 5_000 })).toBe(true)
    expect(await db.selectFrom('search_entries').select('id').execute()).toEqual([])
    expect(await findIds(db, user.id, 'ghost')).toEqual([])
  }
})
