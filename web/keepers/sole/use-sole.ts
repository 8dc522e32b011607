import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { SoleVersion } from '#contract/keepers/sole.ts'
import { keeperKey, keepersKey } from '../keeper-queries.ts'
import { isSampleKeeper } from '../samples/sample-keepers.ts'
import { sampleSole } from '../samples/sample-sole.ts'
import { type SoleBackend, serverSole } from './sole-backend.ts'

export interface Sole {
  keeperId: string
  sample: boolean
  backend: SoleBackend
  /** Newest first. */
  versions: SoleVersion[]
  draft: SoleVersion | undefined
  active: SoleVersion | undefined
  /** Asks again after something was decided. */
  refresh: () => Promise<unknown>
}

export function useSole(keeperId: string) {
  const sample = isSampleKeeper(keeperId)
  const backend = useMemo(() => (sample ? sampleSole(keeperId) : serverSole(keeperId)), [sample, keeperId])
  const queries = useQueryClient()
  const { data, error, isPending, refetch, isRefetching } = useQuery({
    queryKey: keeperKey(keeperId, 'sole', 'versions'),
    queryFn: ({ signal }) => backend.versions(signal),
    // A sample is as it was when one comes back.
    ...(sample && { gcTime: 0, staleTime: 0 }),
  })
  const versions = data ?? []
  const sole: Sole = {
    keeperId,
    sample,
    backend,
    versions,
    draft: versions.find(({ status }) => status === 'draft'),
    active: versions.find(({ status }) => status === 'active'),
    refresh: () =>
      Promise.all([
        queries.invalidateQueries({ queryKey: keeperKey(keeperId) }),
        queries.invalidateQueries({ queryKey: keepersKey }),
      ]),
  }
  return { sole, error, isPending, refetch, isRefetching, known: data !== undefined }
}
