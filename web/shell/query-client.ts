import { QueryClient } from '@tanstack/react-query'
import { ApiError } from '#web/api.ts'

/**
 * Reads are tried at most twice and quickly, so that an error text stands within three seconds. What was waited for in vain
 * is not waited for twice.
 */
export function mayReadAgain(failures: number, reason: unknown): boolean {
  if (failures >= 1 || ((reason as Error).cause as Error | undefined)?.name === 'TimeoutError') return false
  return !(reason instanceof ApiError) || reason.status >= 500
}

export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        retry: mayReadAgain,
        retryDelay: 300,
        staleTime: 10_000,
        // Our own server may well be there while the browser says it is offline.
        networkMode: 'always',
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  })
}
