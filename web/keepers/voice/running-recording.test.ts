import { createMemoryStorage } from '#tests/memory-storage.ts'
import 'fake-indexeddb/auto'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { destroyLocalStore, getCurrentStore } from '#web/offline/local-store.ts'
import { hasUnsentWork } from '#web/offline/unsent-work.ts'
import {
  deleteInterruptedRecording,
  listInterruptedRecordings,
  RunningRecording,
  readRecording,
} from './running-recording.ts'

const storage = new Map<string, string>()
let userNumber = 0
const signIn = (id: string) => storage.set('keeper_token', 't').set('keeper_user', JSON.stringify({ id }))

beforeEach(() => {
  userNumber += 1
  signIn(`speaker-${userNumber}`)
  vi.stubGlobal('localStorage', createMemoryStorage(storage))
})
afterEach(async () => {
  vi.unstubAllGlobals()
  await destroyLocalStore(`speaker-${userNumber}`)
})

const target = { place: 'new', keeperId: 'harbour', type: 'audio/webm' }

/** Records two seconds and closes the page, which releases the lock. */
async function interruptRecording(changes: Partial<typeof target> = {}): Promise<void> {
  const running = new RunningRecording({ ...target, ...changes })
  running.add(new Blob(['the tide ']), 1000)
  running.add(new Blob(['forgives']), 2004.4)
  await vi.waitFor(async () =>
    expect(await getCurrentStore()?.getAll('drafts')).toMatchObject([{ value: { pieces: 2 } }]),
  )
  running.leave()
  await vi.waitFor(async () => expect((await navigator.locks.query()).held).toEqual([]))
}

/** Starts a recording, which isn't listed as interrupted while it runs. */
async function startRecording() {
  const running = new RunningRecording(target)
  running.add(new Blob(['the tide']), 1000)
  await vi.waitFor(async () => expect(await getCurrentStore()?.getAll('drafts')).toHaveLength(1))
  expect(await listInterruptedRecordings('harbour')).toEqual([])
  return running
}

async function findInterrupted() {
  const [interrupted, ...others] = await listInterruptedRecordings('harbour')
  if (!interrupted) throw new Error('No recording was interrupted.')
  expect(others).toEqual([])
  return interrupted
}

async function expectNothingStored() {
  for (const name of ['drafts', 'bytes'] as const) expect(await getCurrentStore()?.getAll(name)).toEqual([])
}

it('an interrupted recording is restored completely and in order', async () => {
  await interruptRecording({ place: 'entry-1' })
  const interrupted = await findInterrupted()
  expect(interrupted).toMatchObject({ place: 'entry-1', durationMs: 2004, title: 'Recording, 0:02' })
  const sound = await readRecording(interrupted)
  expect({ type: sound.type, sound: await sound.text() }).toEqual({ type: 'audio/webm', sound: 'the tide forgives' })
  expect(await hasUnsentWork(), 'sign-out asks about it').toBe(true)
  expect(await listInterruptedRecordings('another keeper')).toEqual([])
})

it('without locks a recording is listed once its page has left it', async () => {
  vi.stubGlobal('navigator', {})
  const running = await startRecording()
  running.leave()
  await vi.waitFor(async () => expect(await listInterruptedRecordings('harbour')).toMatchObject([{ durationMs: 1000 }]))
})

it('a saved or discarded recording leaves nothing behind', async () => {
  const running = await startRecording()
  await running.forget()
  await expectNothingStored()

  await interruptRecording()
  await deleteInterruptedRecording(await findInterrupted())
  await expectNothingStored()
  expect(await listInterruptedRecordings('harbour')).toEqual([])
})

it('audio ends at a missing chunk, and other people cannot read it', async () => {
  await interruptRecording()
  const interrupted = await findInterrupted()
  await getCurrentStore()?.remove('bytes', `recording/${interrupted.id}/1`)
  expect(await (await readRecording(interrupted)).text()).toBe('the tide ')
  signIn('somebody-else')
  expect(await listInterruptedRecordings('harbour')).toEqual([])
  expect((await readRecording(interrupted)).size).toBe(0)
  await destroyLocalStore('somebody-else')
})

it('a recording continues when the browser cannot store it', async () => {
  const errorSpy = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const store = getCurrentStore()
  if (!store) throw new Error('No one is signed in.')
  const put = vi.spyOn(store, 'put').mockRejectedValueOnce(new DOMException('broken', 'UnknownError'))
  const running = new RunningRecording(target)
  running.add(new Blob(['a']), 1000)
  running.add(new Blob(['b']), 2000)
  await vi.waitFor(() => expect(put).toHaveBeenCalledTimes(3))
  expect(errorSpy).toHaveBeenCalledExactlyOnceWith(
    'A recording could not be stored in this browser',
    expect.any(DOMException),
  )
  await running.forget()
})
