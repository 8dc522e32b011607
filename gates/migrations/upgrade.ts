import { type Engine, openDatabase } from '#server/db/database.ts'
import { type Migration, migrate } from '#server/db/migrate.ts'
import { migrations as released } from '#server/db/migrations/index.ts'
import { restoreBackup } from '#server/db/restore.ts'
import { bareDatabase, catalogueOf, databaseOfVersion, keptRows, rowsLost } from '#tests/released-databases.ts'

// Seconds apart, so that backup names differ.
let second = 0
const now = () => new Date(Date.UTC(2026, 10, 21) + 1000 * ++second)

const fresh = new Map<Engine, Promise<string>>()

export function freshCatalogue(engine: Engine): Promise<string> {
  const known = fresh.get(engine) ?? catalogueOfBare(engine)
  fresh.set(engine, known)
  return known
}

async function catalogueOfBare(engine: Engine): Promise<string> {
  const bare = await bareDatabase(engine)
  await migrate(bare.db, released, { dataDir: bare.dataDir, now })
  const catalogue = await catalogueOf(bare.db)
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
  const old = await databaseOfVersion(engine, count)
  const options = { dataDir: old.dataDir, now }
  try {
    const [rows, tables] = [await keptRows(old.db), await catalogueOf(old.db)]
    const { backup, applied } = await migrate(old.db, migrations, options)
    if (applied.length !== migrations.length - count) wrong.push(`${applied.length} migrations were applied`)
    if ((await catalogueOf(old.db)) !== (await freshCatalogue(engine)))
      wrong.push('its tables are not those of a fresh database')
    wrong.push(...rowsLost(rows, await keptRows(old.db)))
    wrong.push(...(await refusalOf(() => migrate(old.db, released.slice(0, -1), options))))
    if (applied.length === 0) return wrong
    if (!backup) return [...wrong, 'no backup was taken first']
    await old.db.close()
    await restoreBackup(backup, old, { migrations, now: now(), keyFingerprint: null })
    const restored = await openDatabase(old)
    try {
      if ((await catalogueOf(restored)) !== tables) wrong.push('the backup restores other tables')
      wrong.push(...rowsLost(rows, await keptRows(restored), []).map((text) => `in the backup ${text}`))
    } finally {
      await restored.close()
    }
    return wrong
  } finally {
    await old.close()
  }
}

async function refusalOf(start: () => Promise<unknown>): Promise<string[]> {
  const thrown = await start().then(
    () => undefined,
    (error: unknown) => error as Error,
  )
  const isClear = thrown?.name === 'MigrationRefused' && thrown.message.includes('Start the newer version')
  return isClear ? [] : [`an older Keeper was not refused clearly: ${thrown ?? 'it started'}`]
}
