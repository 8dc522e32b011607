import { useQuery } from '@tanstack/react-query'
import { diagnostics } from '#contract/diagnostics/diagnostics.ts'
import { call } from '#web/api/api.ts'
import { RetryButton } from '#web/ui/controls/retry-button.tsx'
import { Banner } from '#web/ui/panels/banner.tsx'
import { backupWarnings, formatLastBackup } from './backup-texts.ts'

export function BackupLine() {
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['diagnostics', 'backups'],
    queryFn: ({ signal }) => call(diagnostics.backups, { signal }),
  })
  if (!data)
    return (
      error && (
        <Banner tone="warning" className="mb-4" action={<RetryButton busy={isFetching} onClick={() => refetch()} />}>
          The time of the last backup couldn’t be loaded. {error.message}
        </Banner>
      )
    )
  if (!data.warning) return <p className="mb-4 text-small text-muted-foreground">{formatLastBackup(data)}</p>
  return (
    <Banner tone="warning" className="mb-4">
      {backupWarnings[data.warning]} {formatLastBackup(data)}
    </Banner>
  )
}
