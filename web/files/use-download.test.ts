import { beforeEach, expect, it, vi } from 'vitest'
import { transfer } from '#contract/keepers/transfer.ts'
import { createAnswer } from '#tests/keeper-answer.ts'
import { NetworkError } from '#web/api/api.ts'
import { downloadFile } from './use-download.ts'

let streamController: ReadableStreamDefaultController<Uint8Array>
const part = (bytes: number) => new Uint8Array(bytes).fill(7)

/** Each reading of the clock is far past the last one, so every chunk is reported. */
beforeEach(() => {
  vi.stubGlobal('localStorage', { getItem: () => null })
  let now = 0
  vi.stubGlobal('performance', { now: () => (now += 1_000) })
  vi.stubGlobal('fetch', async (_: string, { signal }: RequestInit) => {
    const body = new ReadableStream({
      start(controller) {
        streamController = controller
        signal?.addEventListener('abort', () => controller.error(signal.reason))
      },
    })
    return createAnswer(body, { headers: { 'Content-Disposition': 'attachment; filename="keepers.zip"' } })
  })
})

it('a large download reports its progress and arrives complete', async () => {
  const onReceived = vi.fn()
  const file = downloadFile(transfer.exportAll, {}, onReceived)
  await vi.waitFor(() => streamController.enqueue(part(1_000)))
  await vi.waitFor(() => expect(onReceived.mock.calls).toEqual([[1_000]]))
  streamController.enqueue(part(500))
  streamController.close()
  const { blob, name } = await file
  expect({ blob: blob.size, name }).toEqual({ blob: 1_500, name: 'keepers.zip' })
  expect(onReceived).toHaveBeenLastCalledWith(1_500)
})

it('a stopped download ends as aborted, an interrupted one as unreachable', async () => {
  const stop = new AbortController()
  const stopped = downloadFile(transfer.exportAll, { signal: stop.signal }, () => {})
  await vi.waitFor(() => streamController.enqueue(part(10)))
  stop.abort()
  await expect(stopped).rejects.toMatchObject({ name: 'AbortError' })

  const broken = downloadFile(transfer.exportAll, {}, () => {})
  await vi.waitFor(() => streamController.enqueue(part(10)))
  streamController.error(new TypeError('network error'))
  await expect(broken).rejects.toBeInstanceOf(NetworkError)
})
