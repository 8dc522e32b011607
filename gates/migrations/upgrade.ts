import { type Engine, openDatabase } from '#server/db/database.ts'
import { type Migration, migrate } from '#server/db/migrate.ts'
import { migrations as released } from '#server/db/migrations/index.ts'
import { restoreBackup } from '#server/db/restore.ts'
import {
  createBareDatabase,
  createDatabaseAtVersion,
  findLostRows,
  readCatalog,
  readTableRows,
} from '#tests/released-databases.ts'

// Seconds apart, so that backup names differ.
let second = 0
const now = () => new Date(Date.UTC(2026, 10, 21) + 1000 * ++second)

const fresh = new Map<Engine, Promise<string>>()

export function getFreshCatalog(engine: Engine): Promise<string> {
  const cachedCatalog = fresh.get(engine) ?? readBareCatalog(engine)
  fresh.set(engine, cachedCatalog)
  return cachedCatalog
}

async function readBareCatalog(engine: Engine): Promise<string> {
  const bare = await createBareDatabase(engine)
  await migrate(bare.db, released, { dataDir: bare.dataDir, now })
  const catalogue = await readCatalog(bare.db)
  await bare.close()
  return catalogue
}

/** Upgrades a full database with `count` migrations, then restores the backup taken first. Returns what is wrong; other `migrations` plant a defect. */
export async function upgradeFrom(
  engine: Engine,
  count: number,
  migrations: readonly Migration[] = released,
): Promise<string[]> {
  const wrong: string[] = []
  const old = await createDatabaseAtVersion(engine, count)
  const options = { dataDir: old.dataDir, now }
  try {
    const [rows, tables] = [await readTableRows(old.db), await readCatalog(old.db)]
    const { backup, applied } = await migrate(old.db, migrations, options)
    if (applied.length !== migrations.length - count) wrong.push(`${applied.length} migrations were applied`)
    if ((await readCatalog(old.db)) !== (await getFreshCatalog(engine)))
      wrong.push('its tables are not those of a fresh database')
    wrong.push(...findLostRows(rows, await readTableRows(old.db)))
    wrong.push(...(await checkRefusal(() => migrate(old.db, released.slice(0, -1), options))))
    if (applied.length === 0) return wrong
    if (!backup) return [...wrong, 'no backup was taken first']
    await old.db.close()
    await restoreBackup(backup, old, { migrations, now: now(), keyFingerprint: null })
    const restored = await openDatabase(old)
    try {
      if ((await readCatalog(restored)) !== tables) wrong.push('the backup restores other tables')
      wrong.push(...findLostRows(rows, await readTableRows(restored), []).map((text) => `in the backup ${text}`))
    } finally {
      await restored.close()
    }
    return wrong
  } finally {
    await old.close()
  }
}

async function checkRefusal(start: () => Promise<unknown>): Promise<string[]> {
  const thrown = await start().then(
    () => undefined,
    (error: unknown) => error as Error,
  )
  const isClear = thrown?.name === 'MigrationRefused' && thrown.message.includes('Start the newer version')
  return isClear ? [] : [`an older Keeper was not refused clearly: ${thrown ?? 'it started'}`]
}
