import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { keyFingerprint } from '#server/db/backup-archive.ts'
import type { Settings } from '#server/settings/settings.ts'
import { readMasterSecret } from './sealer.ts'

export async function readKeyFingerprint({ secret, dataDir }: Settings): Promise<string | null> {
  if (!secret && !existsSync(join(dataDir, 'master.key'))) return null
  return keyFingerprint(await readMasterSecret(secret, dataDir))
}
