import { useQuery } from '@tanstack/react-query'
import { backups } from '#contract/administration/backups.ts'
import { ApiError, call } from '#web/api/api.ts'
import { administrationKey } from '../admin-queries.ts'

export const backupsKey = [...administrationKey, 'backups'] as const
const runningPollMs = 1_000
const idlePollMs = 20_000

/** Follows a running job, also one that another person or the schedule started. */
export const useBackupOverview = () =>
  useQuery({
    queryKey: backupsKey,
    queryFn: ({ signal }) => call(backups.overview, { signal }),
    refetchInterval: ({ state: { data, error } }) => (data?.running || isRestoring(error) ? runningPollMs : idlePollMs),
  })

export const isRestoring = (error: unknown): boolean => error instanceof ApiError && error.code === 'restoring'

export const restorePreviewKey = (id: string, checkedAt: string | undefined) =>
  [...backupsKey, 'restore', id, checkedAt] as const
