import { expect, it, vi } from 'vitest'
import { Unreachable } from '#web/api.ts'
import { lastReach } from '#web/api-journal.ts'
import { askForKeepers } from '#web/keepers/keeper-queries.ts'
import { askWhatWaits } from '#web/keepers/shelf/waiting-for-you.tsx'
import { askForSession } from './ask-for-session.ts'

const tillAborted = ({ signal }: RequestInit, abort: (reason: unknown) => void) =>
  signal?.addEventListener('abort', () => abort(signal.reason))

it('a server that never answers counts as unreachable for every query', async () => {
  vi.stubGlobal('localStorage', { getItem: () => null })
  vi.stubGlobal('fetch', (_: string, asked: RequestInit) => new Promise((_, reject) => tillAborted(asked, reject)))
  for (const ask of [askForSession, askWhatWaits, askForKeepers])
    await expect(ask(new AbortController().signal, 5)).rejects.toBeInstanceOf(Unreachable)
  expect(lastReach()).toBe('unreachable')
})

it('a server that stops mid-response counts as unreachable', async () => {
  vi.stubGlobal('localStorage', { getItem: () => null })
  vi.stubGlobal('fetch', async (_: string, asked: RequestInit) => {
    const start = (body: ReadableStreamDefaultController) => tillAborted(asked, (reason) => body.error(reason))
    return new Response(new ReadableStream({ start }))
  })
  const { signal } = new AbortController()
  await expect(askForSession(signal, 5)).rejects.toMatchObject({ name: 'Unreachable', cause: { name: 'TimeoutError' } })
})

it('aborting cancels the request, as signing out does', async () => {
  vi.stubGlobal('localStorage', { getItem: () => null })
  vi.stubGlobal('fetch', (_: string, asked: RequestInit) => new Promise((_, reject) => tillAborted(asked, reject)))
  for (const ask of [askForSession, askWhatWaits, askForKeepers]) {
    const leaving = new AbortController()
    const asked = ask(leaving.signal)
    leaving.abort()
    await expect(asked).rejects.toMatchObject({ name: 'AbortError' })
  }
})
