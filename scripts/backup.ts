import { relative } from 'node:path'
import { createBackup } from '#server/db/backup.ts'
import { readEnvironment, readSettings } from '#server/settings.ts'
import { root } from './fingerprint.ts'
import { fingerprintOfKeyInUse } from './key-in-use.ts'
import { stopWithOneLine } from './open-services.ts'

process.chdir(root)
try {
  const settings = readSettings(readEnvironment(root, process.env))
  const { dataDir, databaseUrl } = settings
  const { path, files, bytes } = await createBackup(
    { dataDir, ...(databaseUrl && { databaseUrl }) },
    new Date(),
    await fingerprintOfKeyInUse(settings),
  )
  console.log(`Backup: ${relative(root, path) || path} (${files} files, ${(bytes / 1e6).toFixed(1)} MB)`)
  console.log(
    `Not in it: the master key (${settings.secret ? 'KEEPER_SECRET' : 'master.key in the data folder'}). Keep a copy of that elsewhere; without it the stored provider keys cannot be read.`,
  )
  if (settings.bucket)
    console.log(
      `Not in it: what lies in the bucket ${settings.bucket.bucket}. Switch on its versioning, or copy it by its own means.`,
    )
} catch (error) {
  stopWithOneLine(error)
}
