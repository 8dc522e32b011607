import { addBuiltInAgents } from '#server/agents/built-in-agents.ts'
import { createServices } from '#server/create-services.ts'
import { openDatabase } from '#server/db/database.ts'
import { migrate } from '#server/db/migrate.ts'
import { migrations } from '#server/db/migrations/index.ts'
import { closeDataFolder, closeFilesBelow, keepNewFilesPrivate } from '#server/db/private-files.ts'
import { createLog } from '#server/http/log.ts'
import { readMasterSecret } from '#server/keys/sealer.ts'
import { isPlainFailure } from '#server/plain-failures.ts'
import { prepareProcess } from '#server/prepare-process.ts'
import type { Services } from '#server/services.ts'
import { readSettings } from '#server/settings.ts'

/** Does something with an installation's verbs while no server runs on it. */
export async function withServices<Result>(
  environment: Record<string, string | undefined>,
  work: (services: Services) => Promise<Result>,
): Promise<Result> {
  const settings = readSettings(environment)
  prepareProcess(settings)
  const { dataDir, databaseUrl } = settings
  await protectDataFolder(dataDir)
  const db = await openDatabase({ dataDir, ...(databaseUrl && { databaseUrl }) })
  try {
    await migrate(db, migrations, { dataDir, now: () => new Date(), backup: true })
    const masterSecret = await readMasterSecret(settings.secret, dataDir)
    const services = createServices({ db, settings, masterSecret, log: createLog('error') })
    // Servers that run on the same PostgreSQL hear what is changed here.
    await services.bus.open(db, services.log)
    try {
      await services.modelServices.load(services)
      await addBuiltInAgents(services)
      return await work(services)
    } finally {
      await services.bus.close()
    }
  } finally {
    await db.close()
  }
}

/** As the server does when it starts: a command may be the first to see the folder, and writes into it too. */
export async function protectDataFolder(dataDir: string): Promise<void> {
  keepNewFilesPrivate()
  const { closed, stillOpen } = closeDataFolder(dataDir)
  if (closed > 0) stillOpen.push(...(await closeFilesBelow(dataDir)).stillOpen)
  if (closed > 0) console.error(`Other accounts of this machine could reach ${dataDir}. It is closed to them now.`)
  const [first, ...others] = stillOpen
  if (first)
    console.error(
      `Other accounts of this machine can reach ${first.path}${others.length > 0 ? ` and ${others.length} more` : ''} (${first.reason}).`,
    )
}

/** What whoever typed the command can put right is one line; a defect of ours keeps its stack. */
export function stopWithOneLine(error: unknown): never {
  if (!isPlainFailure(error)) throw error
  console.error(error.message)
  process.exit(1)
}
