import { relative } from 'node:path'
import { createBackup, removeOlderBackups } from '#server/db/backup.ts'
import { readMasterKeyFingerprint } from '#server/keys/provider-keys.ts'
import { readEnvironment, readSettings } from '#server/settings/settings.ts'
import { prepareProcess, toDatabaseSettings } from '#server/start/prepare-process.ts'
import { protectDataFolder, stopWithOneLine } from './open-services.ts'
import { enterWorkingFolder } from './working-folder.ts'

const folder = enterWorkingFolder()
const cliArguments = process.argv.slice(2)
const maxBackups = cliArguments[0] === '--keep' ? Number(cliArguments[1]) : undefined
if (
  cliArguments.length > 0 &&
  (cliArguments.length !== 2 || maxBackups === undefined || !Number.isInteger(maxBackups) || maxBackups < 1)
) {
  console.error('Usage: npm run backup -- [--keep <number of newest>]')
  process.exit(1)
}

try {
  const settings = readSettings(readEnvironment(folder, process.env))
  prepareProcess(settings)
  const { dataDir } = settings
  await protectDataFolder(dataDir)
  const { path, files, bytes, damaged } = await createBackup(
    toDatabaseSettings(settings),
    new Date(),
    await readMasterKeyFingerprint(settings),
  )
  console.log(`Backup: ${relative(folder, path) || path} (${files} files, ${(bytes / 1e6).toFixed(1)} MB)`)
  if (damaged.length > 0)
    console.log(`These files have changed since they were saved and are included as they are: ${damaged.join(', ')}`)
  if (maxBackups !== undefined) {
    const removed = await removeOlderBackups(dataDir, maxBackups, { now: new Date() })
    if (removed.length > 0)
      console.log(`Removed older backups, keeping the newest ${maxBackups}: ${removed.join(', ')}`)
  }
  console.log(
    `Not included: the master key (${settings.secret ? 'KEEPER_SECRET' : 'master.key in the data folder'}). Keep a copy of it elsewhere: without it, the stored provider keys can’t be read.`,
  )
  if (settings.bucket)
    console.log(`Not included: the bucket ${settings.bucket.bucket}. Turn on its versioning, or copy it separately.`)
} catch (error) {
  stopWithOneLine(error)
}
