import { type Engine, openDatabase } from '../../server/db/database.ts'
import { type Migration, migrate } from '../../server/db/migrate.ts'
import { migrations as released } from '../../server/db/migrations/index.ts'
import { restoreBackup } from '../../server/db/restore.ts'
import {
  createBareDatabase,
  createDatabaseAtVersion,
  findLostRows,
  readCatalog,
  readTableRows,
} from '../../tests/released-databases.ts'

// Seconds apart, so that backup names differ.
let secondCount = 0
const now = () => new Date(Date.UTC(2026, 10, 21) + 1000 * ++secondCount)

const catalogCache = new Map<Engine, Promise<string>>()

export function getFreshCatalog(engine: Engine): Promise<string> {
  const cachedCatalog = catalogCache.get(engine) ?? readBareCatalog(engine)
  catalogCache.set(engine, cachedCatalog)
  return cachedCatalog
}

async function readBareCatalog(engine: Engine): Promise<string> {
  const bareDatabase = await createBareDatabase(engine)
  await migrate(bareDatabase.db, released, { dataDir: bareDatabase.dataDir, now })
  const catalog = await readCatalog(bareDatabase.db)
  await bareDatabase.close()
  return catalog
}

/** Upgrades a full database with `count` migrations, then restores the backup taken first. Returns what is wrong; other `migrations` plant a defect. */
export async function upgradeFrom(
  engine: Engine,
  count: number,
  migrations: readonly Migration[] = released,
): Promise<string[]> {
  const problems: string[] = []
  const oldDatabase = await createDatabaseAtVersion(engine, count)
  const options = { dataDir: oldDatabase.dataDir, now }
  try {
    const [rows, tables] = [await readTableRows(oldDatabase.db), await readCatalog(oldDatabase.db)]
    const { backup, applied } = await migrate(oldDatabase.db, migrations, options)
    if (applied.length !== migrations.length - count) problems.push(`${applied.length} migrations were applied`)
    if ((await readCatalog(oldDatabase.db)) !== (await getFreshCatalog(engine)))
      problems.push('its tables differ from a fresh database')
    problems.push(...findLostRows(rows, await readTableRows(oldDatabase.db)))
    problems.push(...(await checkRefusal(() => migrate(oldDatabase.db, released.slice(0, -1), options))))
    if (applied.length === 0) return problems
    if (!backup) return [...problems, 'no backup was taken first']
    await oldDatabase.db.close()
    await restoreBackup(backup, oldDatabase, { migrations, now: now(), keyFingerprint: null })
    const restored = await openDatabase(oldDatabase)
    try {
      if ((await readCatalog(restored)) !== tables) problems.push('the backup restores other tables')
      problems.push(...findLostRows(rows, await readTableRows(restored), []).map((text) => `in the backup ${text}`))
    } finally {
      await restored.close()
    }
    return problems
  } finally {
    await oldDatabase.close()
  }
}

async function checkRefusal(startOlder: () => Promise<unknown>): Promise<string[]> {
  const thrown = await startOlder().then(
    () => undefined,
    (error: unknown) => error as Error,
  )
  const isClear = thrown?.name === 'MigrationRefused' && thrown.message.includes('Start the newer version')
  return isClear ? [] : [`an older Keeper was not refused clearly: ${thrown ?? 'it started'}`]
}
