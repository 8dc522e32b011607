import { createMemoryStorage } from '#tests/memory-storage.ts'
import 'fake-indexeddb/auto'
import { isValidElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { toast } from 'sonner'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { recordCall } from '#web/api/api-journal.ts'
import { destroyLocalStore } from '#web/offline/local-store.ts'
import { clearUserData, getFileUploads, hasUnsentWork } from '#web/offline/unsent-work.ts'
import { getCurrentQueue } from '#web/offline/write-queue.ts'
import { FormUploads } from './form-uploads.ts'

const toastDelayMs = 50
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
async function answerRequest(index: number, ...answer: Parameters<PendingRequest['answer']>): Promise<void> {
  const request = await waitForRequest(index)
  request.answer(...answer)
}
const getToastTexts = () =>
  toast
    .getToasts()
    .map((openToast) =>
      'jsx' in openToast && isValidElement(openToast.jsx) ? renderToStaticMarkup(openToast.jsx) : '',
    )
const waitForUploads = () => vi.waitFor(() => expect(getFileUploads()).toEqual([]))

it('an upload outlives its form and never ends up in another form', async () => {
  const composer = openForm('moment/new/k')
  composer.uploads.add([createPicture('quay.png')], ['image'])
  composer.uploads.leave()
  const otherForm = openForm('moment/new/other', 'other')
  const pendingRequest = await waitForRequest()
  expect(pendingRequest.isAborted).toBe(false)
  expect(pendingRequest.url).toContain('/keepers/k/media')
  pendingRequest.answer()
  await waitForUploads()
  expect(composer.pickedNames).toEqual(['quay.png'])
  expect(otherForm.pickedNames).toEqual([])
  expect(otherForm.uploads.getRunning()).toEqual([])
  otherForm.uploads.leave()
})

it('a reopened form takes over running uploads and can stop them', async () => {
  const closedForm = openForm('moment/new/k')
  closedForm.uploads.add([createPicture('quay.png'), createPicture('lamp.png')], ['image'])
  closedForm.uploads.leave()
  const reopenedForm = openForm('moment/new/k')
  expect(reopenedForm.uploads.getRunning().map(({ name }) => name)).toEqual(['quay.png', 'lamp.png'])
  expect(closedForm.uploads.getRunning()).toEqual([])
  reopenedForm.uploads.stop(reopenedForm.uploads.getRunning()[1]?.id ?? '')
  const pendingRequest = await waitForRequest()
  pendingRequest.answer()
  await waitForUploads()
  expect(reopenedForm.pickedNames).toEqual(['quay.png'])
  expect(closedForm.pickedNames).toEqual([])
  expect(reopenedForm.uploads.getRunning()).toEqual([])
  reopenedForm.uploads.leave()
})

it('two open forms of one entry keep their own files until one closes', async () => {
  const [firstForm, secondForm] = [openForm('moment/m'), openForm('moment/m')]
  firstForm.uploads.add([createPicture('one.png')], ['image'])
  secondForm.uploads.add([createPicture('two.png')], ['image'])
  expect(secondForm.uploads.getRunning().map(({ name }) => name)).toEqual(['two.png'])
  const [firstRequest, secondRequest] = [await waitForRequest(), await waitForRequest(1)]
  secondRequest.answer()
  await vi.waitFor(() => expect(secondForm.pickedNames).toEqual(['two.png']))
  firstForm.uploads.leave()
  firstRequest.answer()
  await waitForUploads()
  expect(secondForm.pickedNames).toEqual(['two.png', 'one.png'])
  expect(firstForm.pickedNames).toEqual([])
  secondForm.uploads.leave()
})

it('a canceled form stops its uploads; a failed one is reported and can be retried', async () => {
  const canceled = openForm('moment/m')
  canceled.uploads.add([createPicture('quay.png')], ['image'])
  const stoppedRequest = await waitForRequest()
  canceled.uploads.stopAll()
  canceled.uploads.leave()
  expect(stoppedRequest.isAborted).toBe(true)
  await waitForUploads()
  const failing = openForm('moment/m')
  expect(failing.uploads.getRunning()).toEqual([])
  failing.uploads.add([createPicture('lamp.png')], ['image'])
  failing.uploads.leave()
  await answerRequest(1, 500, { error: 'The disk is full.' })
  await waitForUploads()
  await vi.waitFor(() =>
    expect(getToastTexts(), 'a notification appears on the next page').toEqual([
      expect.stringContaining('<bdi>lamp.png</bdi> wasn’t added to your entry: <bdi>The disk is full.</bdi>'),
    ]),
  )
  const reopenedForm = openForm('moment/m')
  const retry = () => reopenedForm.uploads.retry(reopenedForm.uploads.getRunning()[0]?.id ?? '')
  expect(reopenedForm.uploads.getRunning()).toMatchObject([{ name: 'lamp.png', error: 'The disk is full.' }])
  retry()
  toast.dismiss()
  await answerRequest(2, 500, { error: 'The disk is full.' })
  await waitForUploads()
  await new Promise((resolve) => setTimeout(resolve, toastDelayMs))
  expect(getToastTexts(), 'an open form shows the failure itself').toEqual([])
  retry()
  await answerRequest(3)
  await waitForUploads()
  expect(canceled.pickedNames).toEqual([])
  expect(failing.pickedNames).toEqual([])
  expect(reopenedForm.pickedNames).toEqual(['lamp.png'])
  reopenedForm.uploads.leave()
})

it('an upload whose form closed is queued when the server is unreachable', async () => {
  const composer = openForm('moment/new/k')
  const onPicked = vi.fn()
  composer.uploads.onPicked = onPicked
  composer.uploads.add([createPicture('sea.png')], ['image'])
  composer.uploads.leave()
  const pendingRequest = await waitForRequest()
  pendingRequest.onerror()
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
  const reopenedForm = openForm('moment/new/k')
  expect(reopenedForm.uploads.getRunning()).toMatchObject([
    { name: 'quay.png', error: expect.stringContaining('signed out') },
  ])
  reopenedForm.uploads.leave()
  signIn('ben')
  const otherPersonsForm = openForm('moment/new/k')
  expect(otherPersonsForm.uploads.getRunning()).toEqual([])
  otherPersonsForm.uploads.leave()
  signIn('ada')
  const laterForm = openForm('moment/new/k')
  expect(laterForm.uploads.getRunning(), 'signing in as another person discards the upload').toEqual([])
  laterForm.uploads.leave()
})
