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
const signIn = (person: string) => storage.set('keeper_token', 't').set('keeper_user', JSON.stringify({ id: person }))

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
  recordCall({ at: 0, method: 'GET', path: '/', status: 200, milliseconds: 1, requestId: 'request-1' })
})
afterEach(async () => {
  for (const { stop } of getFileUploads()) stop()
  storage.clear()
  for (const person of ['ada', 'ben']) await destroyLocalStore(person)
})

const picture = (name: string) => new File(['bytes'], name, { type: 'image/png' })

function opened(draftKey: string, keeperId = 'k') {
  const uploads = new FormUploads(keeperId, draftKey)
  const pickedNames: (string | null)[] = []
  uploads.onPicked = ({ name }) => pickedNames.push(name)
  uploads.enter()
  return { uploads, given: pickedNames }
}
async function request(at = 0): Promise<PendingRequest> {
  await vi.waitFor(() => expect(requests.length).toBeGreaterThan(at))
  return requests[at] as PendingRequest
}
const getToastTexts = () =>
  toast.getToasts().map((shown) => ('jsx' in shown && isValidElement(shown.jsx) ? renderToStaticMarkup(shown.jsx) : ''))
const settled = () => vi.waitFor(() => expect(getFileUploads()).toEqual([]))

it('an upload outlives its form and never ends up in another form', async () => {
  const composer = opened('moment/new/k')
  composer.uploads.add([picture('quay.png')], ['image'])
  composer.uploads.leave()
  const another = opened('moment/new/other', 'other')
  const pendingRequest = await request()
  expect(pendingRequest.isAborted).toBe(false)
  expect(pendingRequest.url).toContain('/keepers/k/media')
  pendingRequest.answer()
  await settled()
  expect(composer.given).toEqual(['quay.png'])
  expect(another.given).toEqual([])
  expect(another.uploads.getRunning()).toEqual([])
  another.uploads.leave()
})

it('a reopened form takes over running uploads and can stop them', async () => {
  const first = opened('moment/new/k')
  first.uploads.add([picture('quay.png'), picture('lamp.png')], ['image'])
  first.uploads.leave()
  const second = opened('moment/new/k')
  expect(second.uploads.getRunning().map(({ name }) => name)).toEqual(['quay.png', 'lamp.png'])
  expect(first.uploads.getRunning()).toEqual([])
  second.uploads.stop(second.uploads.getRunning()[1]?.id ?? '')
  const pendingRequest = await request()
  pendingRequest.answer()
  await settled()
  expect(second.given).toEqual(['quay.png'])
  expect(first.given).toEqual([])
  expect(second.uploads.getRunning()).toEqual([])
  second.uploads.leave()
})

it('two open forms of one entry keep their own files until one closes', async () => {
  const [one, two] = [opened('moment/m'), opened('moment/m')]
  one.uploads.add([picture('one.png')], ['image'])
  two.uploads.add([picture('two.png')], ['image'])
  expect(two.uploads.getRunning().map(({ name }) => name)).toEqual(['two.png'])
  const [firstRequest, secondRequest] = [await request(), await request(1)]
  secondRequest.answer()
  await vi.waitFor(() => expect(two.given).toEqual(['two.png']))
  one.uploads.leave()
  firstRequest.answer()
  await settled()
  expect(two.given).toEqual(['two.png', 'one.png'])
  expect(one.given).toEqual([])
  two.uploads.leave()
})

it('a canceled form stops its uploads; a failed one is reported and can be retried', async () => {
  const canceled = opened('moment/m')
  canceled.uploads.add([picture('quay.png')], ['image'])
  const stopped = await request()
  canceled.uploads.stopAll()
  canceled.uploads.leave()
  expect(stopped.isAborted).toBe(true)
  await settled()
  const failing = opened('moment/m')
  expect(failing.uploads.getRunning()).toEqual([])
  failing.uploads.add([picture('lamp.png')], ['image'])
  failing.uploads.leave()
  ;(await request(1)).answer(500, { error: 'The disk is full.' })
  await settled()
  await vi.waitFor(() =>
    expect(getToastTexts(), 'a notification appears on the next page').toEqual([
      expect.stringContaining('<bdi>lamp.png</bdi> wasn’t added to your entry: <bdi>The disk is full.</bdi>'),
    ]),
  )
  const back = opened('moment/m')
  const retry = () => back.uploads.retry(back.uploads.getRunning()[0]?.id ?? '')
  expect(back.uploads.getRunning()).toMatchObject([{ name: 'lamp.png', error: 'The disk is full.' }])
  retry()
  toast.dismiss()
  ;(await request(2)).answer(500, { error: 'The disk is full.' })
  await settled()
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(getToastTexts(), 'an open form shows the failure itself').toEqual([])
  retry()
  ;(await request(3)).answer()
  await settled()
  expect([canceled, failing, back].map(({ given }) => given)).toEqual([[], [], ['lamp.png']])
  back.uploads.leave()
})

it('an upload whose form closed is queued when the server is unreachable', async () => {
  const composer = opened('moment/new/k')
  const onPicked = vi.fn()
  composer.uploads.onPicked = onPicked
  composer.uploads.add([picture('sea.png')], ['image'])
  composer.uploads.leave()
  ;(await request()).onerror()
  await settled()
  expect(onPicked.mock.lastCall).toMatchObject([{ waits: true }])
  expect(getCurrentQueue()?.getWrites()).toMatchObject([
    { keeperId: 'k', mime: 'image/png', query: { name: 'sea.png' } },
  ])
})

it('signing out reports a running upload, stops it and leaves nothing behind', async () => {
  const composer = opened('moment/new/k')
  composer.uploads.add([picture('quay.png')], ['image'])
  const pendingRequest = await request()
  composer.uploads.leave()
  expect(await hasUnsentWork()).toBe(true)
  clearUserData('ada')
  expect(pendingRequest.isAborted).toBe(true)
  await settled()
  expect(composer.given).toEqual([])
  expect(await hasUnsentWork()).toBe(false)
})

it('an upload cut off by signing out waits for its owner to retry', async () => {
  const composer = opened('moment/new/k')
  composer.uploads.add([picture('quay.png')], ['image'])
  composer.uploads.leave()
  const pendingRequest = await request()
  signIn('ben')
  pendingRequest.onerror()
  await settled()
  await getCurrentQueue()?.load()
  expect(getCurrentQueue()?.getWrites()).toEqual([])
  expect(composer.given).toEqual([])
  signIn('ada')
  const back = opened('moment/new/k')
  expect(back.uploads.getRunning()).toMatchObject([{ name: 'quay.png', error: expect.stringContaining('signed out') }])
  back.uploads.leave()
  signIn('ben')
  const bens = opened('moment/new/k')
  expect(bens.uploads.getRunning()).toEqual([])
  bens.uploads.leave()
  signIn('ada')
  const again = opened('moment/new/k')
  expect(again.uploads.getRunning(), 'signing in as another person discards the upload').toEqual([])
  again.uploads.leave()
})
