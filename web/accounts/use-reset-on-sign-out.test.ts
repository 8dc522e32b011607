import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { expect, it, vi } from 'vitest'
import { refetchActiveQueries, resetQueries } from './auth-provider.tsx'

let currentUser = 'ada'

function observe(queryClient: QueryClient, name: string, enabled = true) {
  const requests: string[] = []
  const queryFn = ({ signal }: { signal: AbortSignal }) => {
    requests.push(currentUser)
    const by = currentUser
    return new Promise<string>((resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason))
      setTimeout(() => resolve(by), 20)
    })
  }
  const observer = new QueryObserver(queryClient, { queryKey: [name], queryFn, enabled, retry: false })
  const leave = observer.subscribe(() => undefined)
  return { asked: requests, leave, observer, data: () => observer.getCurrentResult().data }
}

it('signing out refetches the mounted queries once and drops the others', async () => {
  currentUser = 'ada'
  const queryClient = new QueryClient()
  const cached = observe(queryClient, 'known')
  const left = observe(queryClient, 'left')
  const off = observe(queryClient, 'off', false)
  await vi.waitFor(() => expect({ cached: cached.data(), left: left.data() }).toEqual({ cached: 'ada', left: 'ada' }))
  const inFlight = observe(queryClient, 'under way')

  currentUser = 'visitor'
  resetQueries(queryClient)
  expect({ cached: cached.data(), inFlight: inFlight.data() }).toEqual({ cached: undefined, inFlight: undefined })
  left.leave()
  const started = observe(queryClient, 'begun')
  refetchActiveQueries(queryClient)
  await vi.waitFor(() =>
    expect({ cached: cached.data(), inFlight: inFlight.data(), started: started.data() }).toEqual({
      cached: 'visitor',
      inFlight: 'visitor',
      started: 'visitor',
    }),
  )
  expect({
    cachedAsked: cached.asked,
    inFlightAsked: inFlight.asked,
    startedAsked: started.asked,
    leftAsked: left.asked,
    offAsked: off.asked,
  }).toEqual({
    cachedAsked: ['ada', 'visitor'],
    inFlightAsked: ['ada', 'visitor'],
    startedAsked: ['visitor'],
    leftAsked: ['ada'],
    offAsked: [],
  })
  expect(queryClient.getQueryData(['left'])).toBeUndefined()
})
