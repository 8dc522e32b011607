import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { expect, it, vi } from 'vitest'
import { refetchActiveQueries, resetQueries } from './auth-provider.tsx'

let currentUser = 'ada'

function observe(queryClient: QueryClient, name: string, { enabled = true } = {}) {
  const requests: string[] = []
  const queryFn = ({ signal }: { signal: AbortSignal }) => {
    requests.push(currentUser)
    const requestingUser = currentUser
    return new Promise<string>((resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason))
      setTimeout(() => resolve(requestingUser), 20)
    })
  }
  const observer = new QueryObserver(queryClient, { queryKey: [name], queryFn, enabled, retry: false })
  const unsubscribe = observer.subscribe(() => undefined)
  return { requests, unsubscribe, data: () => observer.getCurrentResult().data }
}

it('signing out refetches the mounted queries once and drops the others', async () => {
  currentUser = 'ada'
  const queryClient = new QueryClient()
  const cached = observe(queryClient, 'cached')
  const left = observe(queryClient, 'left')
  const disabled = observe(queryClient, 'disabled', { enabled: false })
  await vi.waitFor(() => expect({ cached: cached.data(), left: left.data() }).toEqual({ cached: 'ada', left: 'ada' }))
  const inFlight = observe(queryClient, 'in flight')

  currentUser = 'visitor'
  resetQueries(queryClient)
  expect({ cached: cached.data(), inFlight: inFlight.data() }).toEqual({ cached: undefined, inFlight: undefined })
  left.unsubscribe()
  const started = observe(queryClient, 'started')
  refetchActiveQueries(queryClient)
  await vi.waitFor(() => {
    for (const query of [cached, inFlight, started]) expect(query.data()).toBe('visitor')
  })
  for (const query of [cached, inFlight]) expect(query.requests).toEqual(['ada', 'visitor'])
  expect(started.requests).toEqual(['visitor'])
  expect(left.requests).toEqual(['ada'])
  expect(disabled.requests).toEqual([])
  expect(queryClient.getQueryData(['left'])).toBeUndefined()
})
