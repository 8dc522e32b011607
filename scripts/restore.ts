import { removeRestorePlan } from '#server/backups/restore-plan.ts'
import { BackupRefused } from '#server/db/backup-archive.ts'
import { migrations } from '#server/db/migrations/index.ts'
import { restoreBackup } from '#server/db/restore.ts'
import { readMasterKeyFingerprint } from '#server/keys/provider-keys.ts'
import { readEnvironment, readSettings } from '#server/settings/settings.ts'
import { prepareProcess, toDatabaseSettings } from '#server/start/prepare-process.ts'
import { protectDataFolder, stopWithOneLine } from './open-services.ts'
import { enterWorkingFolder } from './working-folder.ts'

const folder = enterWorkingFolder()
const cliArguments = process.argv.slice(2)
const path = cliArguments.find((word) => !word.startsWith('--'))
const unknownOption = cliArguments.find((word) => word.startsWith('--') && word !== '--other-key')

try {
  if (!path || unknownOption) throw new BackupRefused('Usage: npm run restore -- <backup> [--other-key]')
  const settings = readSettings(readEnvironment(folder, process.env))
  prepareProcess(settings)
  await protectDataFolder(settings.dataDir)
  const keyFingerprint = await readMasterKeyFingerprint(settings)
  const { movedPaths, restoredInto, madeFrom } = await restoreBackup(path, toDatabaseSettings(settings), {
    migrations,
    now: new Date(),
    keyFingerprint,
    acceptOtherKey: cliArguments.includes('--other-key'),
  })
  await removeRestorePlan(settings.dataDir)
  const target = restoredInto === 'postgres' ? 'PostgreSQL' : `the embedded database in ${settings.dataDir}`
  console.log(`Restored ${path} into ${target}.`)
  if (madeFrom === 'postgres' && restoredInto === 'sqlite')
    console.log(
      'The backup is from PostgreSQL, but DATABASE_URL isn’t set. If Keeper uses PostgreSQL, that database is unchanged: set DATABASE_URL to it and restore again.',
    )
  for (const movedPath of movedPaths) console.log(`The previous data is now in ${movedPath}.`)
  if (settings.bucket)
    console.log(
      `Nothing is deleted in the bucket ${settings.bucket.bucket} until you connect it to this Keeper: npm run admin -- media-to-bucket`,
    )
  if (!keyFingerprint) {
    console.log(
      'There is no master key here yet. Before you start Keeper, set the one the backup was made with (master.key in the data folder, or KEEPER_SECRET).',
    )
  }
} catch (error) {
  if (!(error instanceof BackupRefused)) stopWithOneLine(error)
  console.error(error.message)
  process.exit(1)
}
