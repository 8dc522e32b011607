import { backups } from '#contract/administration/backups.ts'
import { type ServedCall, serveArea } from '#server/http/serve-area.ts'
import type { Services } from '#server/services.ts'
import { checkBackupNow, createBackupNow, downloadBackup, removeBackup } from './manage-backups.ts'
import { previewRestore, startRestore } from './restore-backup.ts'
import { saveSchedule } from './schedule.ts'
import { showBackupOverview } from './show-overview.ts'

export function backupRoutes(services: Services): ServedCall[] {
  return serveArea('backups', backups, {
    overview: () => showBackupOverview(services),
    create: ({ person }) => createBackupNow(services, person),
    saveSchedule: ({ person, body, ifMatch }) => saveSchedule(services, person, body, ifMatch),
    check: ({ person, params: { id } }) => checkBackupNow(services, person, id),
    download: ({ person, params: { id } }) => downloadBackup(services, person, id),
    remove: ({ person, params: { id } }) => removeBackup(services, person, id),
    previewRestore: ({ params: { id } }) => previewRestore(services, id),
    restore: ({ person, params: { id }, body }) => startRestore(services, person, id, body),
  })
}
