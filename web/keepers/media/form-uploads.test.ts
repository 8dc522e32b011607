import { createMemoryStorage } from '#tests/memory-storage.ts'
import 'fake-indexeddb/auto'
import { isValidElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { toast } from 'sonner'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { recordCall } from '#web/api/api-journal.ts'
import { destroyLocalStore } from '#web/offline/local-store.ts'
import { clearUserData, getFileUploads, hasUnsentWork } from '#web/offline/sign-out.ts'
import { getCurrentQueue } from '#web/offline/write-queue.ts'
import { FormUploads } from './form-uploads.ts'

const storage = new Map<string, string>()
const signIn = (userId: string) => storage.set('keeper_token', 't').set('keeper_user', JSON.stringify({ id: userId }))

let requests: PendingRequest[] = []

class PendingRequest {
  status = 0
  statusText = ''
  responseText = ''
  isAborted = false
  url = ''
  readonly upload: { onprogress?: (event: object) => void } = {}
  onload = () => undefined as unknown
  onerror = () => undefined as unknown
  onabort = () => undefined as unknown
  constructor() {
    requests.push(this)
  }
  open(_method: string, url: string) {
    this.url = url
  }
  setRequestHeader() {}
  getResponseHeader = (name: string) => (this.status > 0 && name === 'X-Request-Id' ? 'request-1' : null)
  send() {}
  abort() {
    this.isAborted = true
    this.onabort()
  }
  answer(status = 201, body: object = { data: {} }) {
    this.status = status
    this.responseText = JSON.stringify(body)
    this.onload()
  }
}

beforeEach(() => {
  requests = []
  signIn('ada')
  vi.stubGlobal('localStorage', createMemoryStorage(storage))
  vi.stubGlobal('XMLHttpRequest', PendingRequest)
  vi.stubGlobal('fetch', () => new Promise(() => undefined))
  recordCall({ at: 0, method: 'GET', path: '/', status: 200, durationMs: 1, requestId: 'request-1' })
})
afterEach(async () => {
  for (const { stop } of getFileUploads()) stop()
  storage.clear()
  for (const userId of ['ada', 'ben']) await destroyLocalStore(userId)
})

const createPicture = (name: string) => new File(['bytes'], name, { type: 'image/png' })

function openForm(draftKey: string, keeperId = 'k') {
  const uploads = new FormUploads(keeperId, draftKey)
  const pickedNames: (string | null)[] = []
  uploads.onPicked = ({ name }) => pickedNames.push(name)
  uploads.enter()
  return { uploads, pickedNames }
}
async function waitForRequest(index = 0): Promise<PendingRequest> {
  await vi.waitFor(() => expect(requests.length).toBeGreaterThan(index))
  return requests[index] as PendingRequest
}
const getToastTexts = () =>
  toast.getToasts().map((shown) => ('jsx' in shown && isValidElement(shown.jsx) ? renderToStaticMarkup(shown.jsx) : ''))
const waitForUploads = () => vi.waitFor(() => expect(getFileUploads()).toEqual([]))

it('an upload outlives its form and never ends up in another form', async () => {
  const composer = openForm('moment/new/k')
  composer.uploads.add([createPicture('quay.png')], ['image'])
  composer.uploads.leave()
  const another = openForm('moment/new/other', 'other')
  const pendingRequest = await waitForRequest()
  expect(pendingRequest.isAborted).toBe(false)
  expect(pendingRequest.url).toContain('/keepers/k/media')
  pendingRequest.answer()
  await waitForUploads()
  expect(composer.pickedNames).toEqual(['quay.png'])
  expect(another.pickedNames).toEqual([])
  expect(another.uploads.getRunning()).toEqual([])
  another.uploads.leave()
})

it('a reopened form takes over running uploads and can stop them', async () => {
  const first = openForm('moment/new/k')
  first.uploads.add([createPicture('quay.png'), createPicture('lamp.png')], ['image'])
  first.uploads.leave()
  const second = openForm('moment/new/k')
  expect(second.uploads.getRunning().map(({ name }) => name)).toEqual(['quay.png', 'lamp.png'])
  expect(first.uploads.getRunning()).toEqual([])
  second.uploads.stop(second.uploads.getRunning()[1]?.id ?? '')
  const pendingRequest = await waitForRequest()
  pendingRequest.answer()
  await waitForUploads()
  expect(second.pickedNames).toEqual(['quay.png'])
  expect(first.pickedNames).toEqual([])
  expect(second.uploads.getRunning()).toEqual([])
  second.uploads.leave()
})

it('two open forms of one entry keep their own files until one closes', async () => {
  const [one, two] = [openForm('moment/m'), openForm('moment/m')]
  one.uploads.add([createPicture('one.png')], ['image'])
  two.uploads.add([createPicture('two.png')], ['image'])
  expect(two.uploads.getRunning().map(({ name }) => name)).toEqual(['two.png'])
  const [firstRequest, secondRequest] = [await waitForRequest(), await waitForRequest(1)]
  secondRequest.answer()
  await vi.waitFor(() => expect(two.pickedNames).toEqual(['two.png']))
  one.uploads.leave()
  firstRequest.answer()
  await waitForUploads()
  expect(two.pickedNames).toEqual(['two.png', 'one.png'])
  expect(one.pickedNames).toEqual([])
  two.uploads.leave()
})

it('a canceled form stops its uploads; a failed one is reported and can be retried', async () => {
  const canceled = openForm('moment/m')
  canceled.uploads.add([createPicture('quay.png')], ['image'])
  const stopped = await waitForRequest()
  canceled.uploads.stopAll()
  canceled.uploads.leave()
  expect(stopped.isAborted).toBe(true)
  await waitForUploads()
  const failing = openForm('moment/m')
  expect(failing.uploads.getRunning()).toEqual([])
  failing.uploads.add([createPicture('lamp.png')], ['image'])
  failing.uploads.leave()
  ;(await waitForRequest(1)).answer(500, { error: 'The disk is full.' })
  await waitForUploads()
  await vi.waitFor(() =>
    expect(getToastTexts(), 'a notification appears on the next page').toEqual([
      expect.stringContaining('<bdi>lamp.png</bdi> wasn’t added to your entry: <bdi>The disk is full.</bdi>'),
    ]),
  )
  const back = openForm('moment/m')
  const retry = () => back.uploads.retry(back.uploads.getRunning()[0]?.id ?? '')
  expect(back.uploads.getRunning()).toMatchObject([{ name: 'lamp.png', error: 'The disk is full.' }])
  retry()
  toast.dismiss()
  ;(await waitForRequest(2)).answer(500, { error: 'The disk is full.' })
  await waitForUploads()
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(getToastTexts(), 'an open form shows the failure itself').toEqual([])
  retry()
  ;(await waitForRequest(3)).answer()
  await waitForUploads()
  expect([canceled, failing, back].map(({ pickedNames }) => pickedNames)).toEqual([[], [], ['lamp.png']])
  back.uploads.leave()
})

it('an upload whose form closed is queued when the server is unreachable', async () => {
  const composer = openForm('moment/new/k')
  const onPicked = vi.fn()
  composer.uploads.onPicked = onPicked
  composer.uploads.add([createPicture('sea.png')], ['image'])
  composer.uploads.leave()
  ;(await waitForRequest()).onerror()
  await waitForUploads()
  expect(onPicked.mock.lastCall).toMatchObject([{ waits: true }])
  expect(getCurrentQueue()?.getWrites()).toMatchObject([
    { keeperId: 'k', mime: 'image/png', query: { name: 'sea.png' } },
  ])
})

it('signing out reports a running upload, stops it and leaves nothing behind', async () => {
  const composer = openForm('moment/new/k')
  composer.uploads.add([createPicture('quay.png')], ['image'])
  const pendingRequest = await waitForRequest()
  composer.uploads.leave()
  expect(await hasUnsentWork()).toBe(true)
  clearUserData('ada')
  expect(pendingRequest.isAborted).toBe(true)
  await waitForUploads()
  expect(composer.pickedNames).toEqual([])
  expect(await hasUnsentWork()).toBe(false)
})

it('an upload cut off by signing out waits for its owner to retry', async () => {
  const composer = openForm('moment/new/k')
  composer.uploads.add([createPicture('quay.png')], ['image'])
  composer.uploads.leave()
  const pendingRequest = await waitForRequest()
  signIn('ben')
  pendingRequest.onerror()
  await waitForUploads()
  await getCurrentQueue()?.load()
  expect(getCurrentQueue()?.getWrites()).toEqual([])
  expect(composer.pickedNames).toEqual([])
  signIn('ada')
  const back = openForm('moment/new/k')
  expect(back.uploads.getRunning()).toMatchObject([{ name: 'quay.png', error: expect.stringContaining('signed out') }])
  back.uploads.leave()
  signIn('ben')
  const otherPersonsForm = openForm('moment/new/k')
  expect(otherPersonsForm.uploads.getRunning()).toEqual([])
  otherPersonsForm.uploads.leave()
  signIn('ada')
  const again = openForm('moment/new/k')
  expect(again.uploads.getRunning(), 'signing in as another person discards the upload').toEqual([])
  again.uploads.leave()
})
