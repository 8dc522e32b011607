import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Database, json } from '#server/db/database.ts'
import { migrate } from '#server/db/migrate.ts'
import { migrations } from '#server/db/migrations/index.ts'
import type { PreparedParameters } from '#server/db/prepared-query.ts'
import { openSqliteDriver } from '#server/db/sqlite-driver.ts'
import type { WriteAnswer, WriteJob } from '#server/db/sqlite-write-queue.ts'
import { WorkerChannel } from '#server/db/worker-channel.ts'

// Promise: Kysely and the driver keep ≥ 60 % of what the same writer thread does when it is handed finished SQL,
// 32 callers, each waiting for its row to be on disk. The promise over HTTP is create-agent.ts.

const callers = 32
const rounds = 3
const milliseconds = 1_500

const folder = mkdtempSync(join(tmpdir(), 'keeper-bench-'))
const ours = await migrated(join(folder, 'ours'))
const floorFolder = join(folder, 'floor')
await (await migrated(floorFolder)).close()
const writer = new WorkerChannel<WriteJob, WriteAnswer>(new URL('../server/db/sqlite-writer.ts', import.meta.url), {
  file: join(floorFolder, 'data.db'),
})
await writer.opened

let made = 0
const row = () => {
  const name = `bench-${++made}`
  return {
    id: name,
    owner_id: null,
    slug: name,
    name,
    purpose: 'Reads the day’s moments and drafts a reflection only when something repeats.',
    agent_class: 'Lead',
    context_scope: 'general',
    memory_enabled: false,
    tools: json(['search', 'remember']),
    permissions: json([]),
    config: json({ personality: 'quiet' }),
    status: 'ready',
    model_provider: 'openai',
    model_settings: json({ model: 'gpt', temperature: 0.7 }),
    visibility: 'private',
    created_at: Date.now(),
    updated_at: Date.now(),
  } as never
}
const { sql } = ours.insertInto('agents').values(row()).compile()
const parameters = () => Object.values(row() as Record<string, unknown>).map((value) => (value === false ? 0 : value))

const names = Object.keys(row() as object)
const compiledOnce = ours.hot<PreparedParameters>()((p) =>
  ours.insertInto('agents').values(Object.fromEntries(names.map((name) => [name, p[name]])) as never),
)

const through = {
  hot: () => compiledOnce.run(row()),
  ours: () => ours.insertInto('agents').values(row()).execute(),
  floor: () => writer.send({ kind: 'one', statement: { sql, parameters: parameters() } }),
}

/** Rows a second, written by all callers together. */
async function rate(create: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  let count = 0
  async function caller(): Promise<void> {
    while (performance.now() - start < milliseconds) {
      await create()
      count++
    }
  }
  await Promise.all(Array.from({ length: callers }, caller))
  return (count * 1000) / (performance.now() - start)
}

const measured: number[] = []
const hot: number[] = []
const floor: number[] = []
for (const create of Object.values(through)) await rate(create)
for (let round = 0; round < rounds; round++) {
  floor.push(await rate(through.floor))
  measured.push(await rate(through.ours))
  hot.push(await rate(through.hot))
}
await ours.close()
await writer.terminate()
rmSync(folder, { recursive: true })

const ratio = median(measured) / median(floor)
console.log(
  `durable create (database): ${median(measured).toFixed(0)}/s, floor ${median(floor).toFixed(0)}/s, ratio ${ratio.toFixed(2)}; compiled once ${(median(hot) / median(floor)).toFixed(2)}`,
)
if (ratio < 0.6) process.exitCode = 1

function median(values: number[]): number {
  return values.toSorted((one, other) => one - other)[values.length >> 1] ?? 0
}

async function migrated(dataDir: string): Promise<Database> {
  const db = new Database(await openSqliteDriver(dataDir))
  await migrate(db, migrations, { dataDir, now: () => new Date(), backup: false })
  return db
}
