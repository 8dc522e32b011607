import { storageOver } from '#tests/storage-over.ts'
import 'fake-indexeddb/auto'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { unsentWork } from '#web/offline/sign-out.ts'
import { destroyVault, ownVault } from '#web/offline/vault.ts'
import { leftRecordings, RunningRecording, soundOf, throwLeftAway } from './running-recording.ts'

const storage = new Map<string, string>()
let person = 0
const signIn = (id: string) => storage.set('keeper_token', 't').set('keeper_user', JSON.stringify({ id }))

beforeEach(() => {
  person += 1
  signIn(`speaker-${person}`)
  vi.stubGlobal('localStorage', storageOver(storage))
})
afterEach(async () => {
  vi.unstubAllGlobals()
  await destroyVault(`speaker-${person}`)
})

const about = { place: 'new', keeperId: 'harbour', type: 'audio/webm' }

/** Records two seconds and closes the page, which releases the lock. */
async function cutOff(more: Partial<typeof about> = {}): Promise<void> {
  const running = new RunningRecording({ ...about, ...more })
  running.add(new Blob(['the tide ']), 1000)
  running.add(new Blob(['forgives']), 2004.4)
  await vi.waitFor(async () => expect(await ownVault()?.all('drafts')).toMatchObject([{ value: { pieces: 2 } }]))
  running.leave()
  await vi.waitFor(async () => expect((await navigator.locks.query()).held).toEqual([]))
}

it('an interrupted recording is restored completely and in order', async () => {
  await cutOff({ place: 'entry-1' })
  const [left, ...others] = await leftRecordings('harbour')
  if (!left) throw new Error('nothing was left')
  expect(others).toEqual([])
  expect(left).toMatchObject({ place: 'entry-1', durationMs: 2004, title: 'Recording, 0:02' })
  const sound = await soundOf(left)
  expect([sound.type, await sound.text()]).toEqual(['audio/webm', 'the tide forgives'])
  expect(await unsentWork(), 'sign-out asks about it').toBe(true)
  expect(await leftRecordings('another keeper')).toEqual([])
})

it('a running recording is not listed as interrupted', async () => {
  const running = new RunningRecording(about)
  running.add(new Blob(['the tide']), 1000)
  await vi.waitFor(async () => expect(await ownVault()?.all('drafts')).toHaveLength(1))
  expect(await leftRecordings('harbour')).toEqual([])
  await running.forget()
})

it('without locks a recording is listed once its page has left it', async () => {
  vi.stubGlobal('navigator', {})
  const running = new RunningRecording(about)
  running.add(new Blob(['the tide']), 1000)
  await vi.waitFor(async () => expect(await ownVault()?.all('drafts')).toHaveLength(1))
  expect(await leftRecordings('harbour')).toEqual([])
  running.leave()
  await vi.waitFor(async () => expect(await leftRecordings('harbour')).toMatchObject([{ durationMs: 1000 }]))
})

it('a kept or discarded recording leaves nothing behind', async () => {
  const running = new RunningRecording(about)
  running.add(new Blob(['the tide']), 1000)
  await running.forget()
  expect([await ownVault()?.all('drafts'), await ownVault()?.all('bytes')]).toEqual([[], []])

  await cutOff()
  const [left] = await leftRecordings('harbour')
  if (!left) throw new Error('nothing was left')
  await throwLeftAway(left)
  expect([await ownVault()?.all('drafts'), await ownVault()?.all('bytes')]).toEqual([[], []])
  expect(await leftRecordings('harbour')).toEqual([])
})

it('audio ends at a missing chunk, and other people cannot read it', async () => {
  await cutOff()
  const [left] = await leftRecordings('harbour')
  if (!left) throw new Error('nothing was left')
  await ownVault()?.remove('bytes', `recording/${left.id}/1`)
  expect(await (await soundOf(left)).text()).toBe('the tide ')
  signIn('somebody-else')
  expect(await leftRecordings('harbour')).toEqual([])
  expect((await soundOf(left)).size).toBe(0)
  await destroyVault('somebody-else')
})

it('a recording continues when the browser cannot store it', async () => {
  const said = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const vault = ownVault()
  if (!vault) throw new Error('nobody is signed in')
  const put = vi.spyOn(vault, 'put').mockRejectedValueOnce(new DOMException('broken', 'UnknownError'))
  const running = new RunningRecording(about)
  running.add(new Blob(['a']), 1000)
  running.add(new Blob(['b']), 2000)
  await vi.waitFor(() => expect(put).toHaveBeenCalledTimes(3))
  expect(said).toHaveBeenCalledExactlyOnceWith(
    'A recording could not be kept in this browser',
    expect.any(DOMException),
  )
  await running.forget()
})
