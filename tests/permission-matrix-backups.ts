import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { getBackupsFolder } from '#server/backups/archives.ts'
import { superAdmins } from './permission-matrix-statuses.ts'
import type { PermissionLine } from './permission-matrix-table.ts'
import type { PermissionWorld } from './permission-matrix-world.ts'

let archiveCount = 0

/** An archive that is not a valid backup, which these calls notice only later. */
async function createArchive({ app }: PermissionWorld): Promise<{ params: { id: string } }> {
  await app.services.backups.waitForJobs()
  const id = `keeper-20250101T${String(100_000 + ++archiveCount).slice(-6)}Z`
  const folder = join(getBackupsFolder(app.services.settings.dataDir), id)
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'manifest.json'), '{}')
  return { params: { id } }
}

export const backupLines: Record<string, PermissionLine> = {
  'backups.overview': { ...superAdmins, sample: () => ({}) },
  'backups.create': {
    ...superAdmins,
    async sample({ app }) {
      await app.services.backups.waitForJobs()
      await app.services.db.deleteFrom('throttle_windows').execute()
      return {}
    },
  },
  'backups.saveSchedule': {
    ...superAdmins,
    sample: () => ({ body: { frequency: 'weekly', hour: 3, weekday: 1, keep: 5 } }),
  },
  'backups.check': { ...superAdmins, sample: createArchive },
  'backups.download': { ...superAdmins, sample: createArchive },
  'backups.remove': { ...superAdmins, sample: createArchive },
  // Without a check, as tests in server/backups cover.
  'backups.previewRestore': { ...superAdmins, roles: { 'super-admin': 409 }, sample: createArchive },
  'backups.restore': {
    ...superAdmins,
    roles: { 'super-admin': 422 },
    sample: async (world) => ({ ...(await createArchive(world)), body: { host: 'localhost' } }),
  },
}
