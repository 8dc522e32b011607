import { addBuiltInAgents } from '#server/agents/built-in-agents.ts'
import { createDataFolder } from '#server/db/data-folder.ts'
import { openDatabase } from '#server/db/database.ts'
import { migrate } from '#server/db/migrate.ts'
import { migrations } from '#server/db/migrations/index.ts'
import { restrictDataFolder, restrictFilesBelow, restrictNewFiles } from '#server/db/private-files.ts'
import { createLog } from '#server/http/log.ts'
import { readMasterSecret } from '#server/keys/master-key.ts'
import type { Services } from '#server/services.ts'
import { readSettings } from '#server/settings/settings.ts'
import { createServices } from '#server/start/create-services.ts'
import { prepareProcess, toDatabaseSettings } from '#server/start/prepare-process.ts'
import { explainStartupError } from '#server/start/startup-errors.ts'

export async function withServices<Result>(
  environment: Record<string, string | undefined>,
  task: (services: Services) => Promise<Result>,
): Promise<Result> {
  const settings = readSettings(environment)
  prepareProcess(settings)
  const { dataDir } = settings
  await protectDataFolder(dataDir)
  const db = await openDatabase({
    ...toDatabaseSettings(settings),
    failureHandlers: { onWaiting: (message) => console.error(message) },
  })
  try {
    await migrate(db, migrations, { dataDir, now: () => new Date(), backup: true })
    const masterSecret = await readMasterSecret(settings.secret, dataDir)
    const services = createServices({ db, settings, masterSecret, log: createLog('error') })
    // Notifies servers on the same PostgreSQL of changes made here.
    await services.bus.open(db, services.log)
    try {
      await services.modelServices.load(services)
      await addBuiltInAgents(services)
      return await task(services)
    } finally {
      await services.bus.close()
    }
  } finally {
    await db.close()
  }
}

/** A command can be the first to open the folder, so it protects it like the server does. */
export async function protectDataFolder(dataDir: string): Promise<void> {
  restrictNewFiles()
  createDataFolder(dataDir)
  const { restrictedCount, unrestricted } = restrictDataFolder(dataDir)
  if (restrictedCount > 0) unrestricted.push(...(await restrictFilesBelow(dataDir)).unrestricted)
  if (restrictedCount > 0)
    console.error(`Other accounts on this machine could access ${dataDir}. It is now closed to them.`)
  const [first, ...otherPaths] = unrestricted
  if (first)
    console.error(
      `Other accounts on this machine can access ${first.path}${otherPaths.length > 0 ? ` and ${otherPaths.length} more` : ''} (${first.reason}).`,
    )
}

export function stopWithOneLine(error: unknown): never {
  const line = explainStartupError(error)
  if (line === undefined) throw error
  console.error(line)
  process.exit(1)
}
