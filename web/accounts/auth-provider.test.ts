import { expect, it, vi } from 'vitest'
import { NetworkError } from '#web/api/api.ts'
import { getReachability } from '#web/api/api-journal.ts'
import { fetchAllKeepers } from '#web/keepers/keeper-queries.ts'
import { fetchWaiting } from '#web/keepers/shelf/waiting-for-you.tsx'
import { fetchSession } from './auth-provider.tsx'

function rejectOnAbort({ signal }: RequestInit, reject: (reason: unknown) => void): void {
  if (signal?.aborted) reject(signal.reason)
  signal?.addEventListener('abort', () => reject(signal.reason))
}

it('a server that never answers counts as unreachable for every query', async () => {
  vi.stubGlobal('localStorage', { getItem: () => null })
  vi.stubGlobal(
    'fetch',
    (_: string, request: RequestInit) => new Promise((_, reject) => rejectOnAbort(request, reject)),
  )
  for (const load of [fetchSession, fetchWaiting, fetchAllKeepers])
    await expect(load(new AbortController().signal, 5)).rejects.toBeInstanceOf(NetworkError)
  expect(getReachability()).toBe('unreachable')
})

it('a server that stops mid-response counts as unreachable', async () => {
  vi.stubGlobal('localStorage', { getItem: () => null })
  vi.stubGlobal('fetch', async (_: string, request: RequestInit) => {
    const start = (body: ReadableStreamDefaultController) => rejectOnAbort(request, (reason) => body.error(reason))
    return new Response(new ReadableStream({ start }))
  })
  const { signal } = new AbortController()
  await expect(fetchSession(signal, 5)).rejects.toMatchObject({ name: 'Unreachable', cause: { name: 'TimeoutError' } })
})

it('aborting cancels the request, as signing out does', async () => {
  vi.stubGlobal('localStorage', { getItem: () => null })
  vi.stubGlobal(
    'fetch',
    (_: string, request: RequestInit) => new Promise((_, reject) => rejectOnAbort(request, reject)),
  )
  for (const load of [fetchSession, fetchWaiting, fetchAllKeepers]) {
    const controller = new AbortController()
    const request = load(controller.signal)
    controller.abort()
    await expect(request).rejects.toMatchObject({ name: 'AbortError' })
  }
})
