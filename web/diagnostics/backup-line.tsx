import { useQuery } from '@tanstack/react-query'
import { type BackupState, diagnostics } from '#contract/diagnostics/diagnostics.ts'
import { call } from '#web/api/api.ts'
import { RetryButton } from '#web/ui/controls/button.tsx'
import { Banner } from '#web/ui/panels/banner.tsx'
import { formatSize } from '#web/ui/text/format-size.ts'
import { formatTime } from '#web/ui/text/format-time.ts'

export function BackupLine() {
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['diagnostics', 'backups'],
    queryFn: ({ signal }) => call(diagnostics.backups, { signal }),
  })
  if (error && !data)
    return (
      <Banner tone="warning" className="mb-4" action={<RetryButton busy={isFetching} onClick={() => refetch()} />}>
        The time of the last backup couldn’t be loaded. {error.message}
      </Banner>
    )
  if (!data) return <BackupLinePlaceholder />
  if (!data.warning) return <p className="mb-4 text-small text-muted-foreground">{formatLastBackup(data)}</p>
  return (
    <Banner tone="warning" className="mb-4">
      {backupWarnings[data.warning]} {formatLastBackup(data)}
    </Banner>
  )
}

export const BackupLinePlaceholder = () => <div className="mb-4 h-4" />

export const backupWarnings: Record<NonNullable<BackupState['warning']>, string> = {
  failed: 'The last scheduled backup failed.',
  'no-room': 'The scheduled backup was skipped because the disk is nearly full.',
  old: 'The last backup is overdue.',
  none: 'There’s no backup.',
}

export function formatLastBackup({ engine, nightly, last }: BackupState): string {
  if (last) return `Last backup: ${formatTime(last.made_at, 'date-time')}, ${formatSize(last.bytes)}`
  if (engine === 'postgres' && nightly === 0)
    return 'No scheduled backups of PostgreSQL. Use the tools of your database, or set a schedule under Backups.'
  return nightly > 0 ? 'No backup yet. The first one is scheduled.' : 'Automatic backups are off.'
}
