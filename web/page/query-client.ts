import { notifyManager, QueryClient } from '@tanstack/react-query'
import { ApiError } from '#web/api/api.ts'

/** One quick retry, so that errors show within three seconds; none after a timeout. */
export function shouldRetryRead(failureCount: number, reason: unknown): boolean {
  if (failureCount >= 1 || ((reason as Error).cause as Error | undefined)?.name === 'TimeoutError') return false
  return !(reason instanceof ApiError) || reason.status >= 500
}

export function createQueryClient(): QueryClient {
  // With the default timer of React Query, a checkbox whose change is being saved shows its previous state for a frame.
  notifyManager.setScheduler(queueMicrotask)
  return new QueryClient({
    defaultOptions: {
      queries: {
        retry: shouldRetryRead,
        retryDelay: 300,
        staleTime: 10_000,
        // A server on the local network may respond while the browser reports being offline.
        networkMode: 'always',
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  })
}
