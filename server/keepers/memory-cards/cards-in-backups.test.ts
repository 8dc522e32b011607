import { rmSync } from 'node:fs'
import { afterEach, expect, test, vi } from 'vitest'
import { register } from '#server/accounts/register.ts'
import { createBackup } from '#server/db/backup.ts'
import { type Database, type Engine, openDatabase } from '#server/db/database.ts'
import { migrations } from '#server/db/migrations/index.ts'
import { restoreBackup } from '#server/db/restore.ts'
import { createLog } from '#server/http/log.ts'
import type { Services } from '#server/services.ts'
import { readSettings } from '#server/settings/settings.ts'
import { createServices } from '#server/start/create-services.ts'
import { cast } from '#tests/cast.ts'
import { createFreshDatabase, engines, type FreshDatabase } from '#tests/engines.ts'
import { createEntry } from '../entries/create-entry.ts'
import { findCards } from './find-cards.ts'
import { createCardVectorWrites, createSearchColumns } from './index-cards.ts'
import { stopScanner } from './vector-sets.ts'

const crossings = engines.flatMap((from) => engines.map((to): [Engine, Engine] => [from, to]))
const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

async function installation(engine: Engine): Promise<FreshDatabase> {
  const database = await createFreshDatabase(engine)
  ends.push(() => database.close())
  return database
}

function servicesOn(db: Database): Services {
  const settings = readSettings({})
  const log = createLog('silent', { write: () => undefined })
  const services = createServices({ db, settings, log, masterSecret: 'a secret that only tests use, long enough' })
  ends.push(() => stopScanner(services))
  return services
}

/** One keeper with a card, and one inserted without its search words. */
async function fill(services: Services): Promise<{ id: string; owner_id: string }> {
  const { user } = await register(services, cast.ada, '127.0.0.1')
  const keeper = { id: 'a'.repeat(32), owner_id: user.id }
  const now = services.now().getTime()
  const times = { created_at: now, updated_at: now, deleted_at: null }
  await services.db
    .insertInto('keepers')
    .values({
      ...{ ...keeper, ...times, title: 'K', purpose: 'p', keeper_type: 'journal', keeper_type_id: null },
      ...{ memory_pattern: 'sole', theme: 'keeper-classic', is_public: false },
    })
    .execute()
  const values = {
    ...{ reflection_id: null, reflection_agent_id: null, reflection_created_at: null, topic: 'Über' },
    ...{ ai_visible: true, state: 'active' as const, source_kind: null, source_id: null },
  }
  const read = { ...values, content: 'Der Vater trank im Café.' }
  await createEntry(services, keeper, {
    entity: 'card',
    id: 'b'.repeat(32),
    values: { ...read, ...createSearchColumns(read, now) },
    extraWrites: (id) => createCardVectorWrites(services, { id, content: read.content }, now),
  })
  const unread = { ...values, content: 'Im Café war es warm.', embedded_with: null, embedded_at: null, words: null }
  await createEntry(services, keeper, { entity: 'card', id: 'c'.repeat(32), values: unread })
  return keeper
}

test.each(crossings)('cards in a backup of %s are found on %s by words and by meaning', async (from, to) => {
  const source = await installation(from)
  const keeper = await fill(servicesOn(source.db))
  const { path } = await createBackup(source, new Date('2026-11-21T04:05:06.789Z'), null)
  const target = await installation(to)
  await target.db.close()
  // PostgreSQL counts a connection for a moment after it closed.
  const { movedPaths: extraFolders } = await vi.waitFor(
    () => restoreBackup(path, target, { migrations, now: new Date(), keyFingerprint: null }),
    { timeout: 10_000 },
  )
  for (const folder of extraFolders) ends.push(() => rmSync(folder, { recursive: true, force: true }))

  const db = await openDatabase(target)
  ends.push(() => db.close())
  const { matches } = await findCards(servicesOn(db), { keeper, limit: 5 }, 'cafe vater')
  expect(matches.map(({ id, matched }) => [id[0], matched])).toEqual([
    ['b', ['words', 'meaning']],
    ['c', ['words', 'meaning']],
  ])
  const { matches: byTopic } = await findCards(servicesOn(db), { keeper, limit: 5 }, 'uber')
  expect(byTopic.map(({ id }) => id[0]).toSorted()).toEqual(['b', 'c'])
})
