import type { BackupState } from '#contract/diagnostics/diagnostics.ts'
import { formatSize } from '#web/ui/text/format-size.ts'
import { formatTime } from '#web/ui/text/format-time.ts'

export const backupWarnings: Record<NonNullable<BackupState['warning']>, string> = {
  failed: 'The last nightly backup failed.',
  'no-room': 'The nightly backup was skipped because the disk is nearly full.',
  old: 'The last backup is older than two days.',
  none: 'There’s no backup.',
}

export function formatLastBackup({ engine, nightly, last }: BackupState): string {
  if (last) return `Last backup: ${formatTime(last.made_at, 'date-time')}, ${formatSize(last.bytes)}`
  if (engine === 'postgres') return 'Keeper doesn’t back up PostgreSQL. Use the tools of your database.'
  return nightly > 0 ? 'No backup yet. The first runs tonight.' : 'Automatic backups are off.'
}
