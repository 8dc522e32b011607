import type { Page } from '@playwright/test'
import type { Keeper } from '#contract/keepers/keepers.ts'
import type { VoiceEntry } from '#contract/keepers/voice.ts'
import type { BuiltKeeper } from './built-keeper.ts'
import { expectNoViolations } from './expect-no-violations.ts'
import { expect, registerAndSignIn, test } from './fixtures.ts'

test.use({ permissions: ['microphone'] })

declare global {
  interface Window {
    /** Microphones handed to the page. */
    microphones: MediaStreamTrack[]
    /** Pending while the browser still asks for permission. */
    question: Promise<void> | undefined
    answerQuestion: () => void
  }
}

/** Opens a new voice entry in a browser that records the microphones it hands out. */
async function openNewEntry(page: Page, keeper: BuiltKeeper) {
  await page.addInitScript(() => {
    window.microphones = []
    const devices = navigator.mediaDevices
    const open = devices.getUserMedia.bind(devices)
    devices.getUserMedia = async (constraints) => {
      await window.question
      const stream = await open(constraints)
      window.microphones.push(...stream.getTracks())
      return stream
    }
  })
  const { token } = await registerAndSignIn(page, keeper, 'ada')
  const harbour = { title: 'The Harbour Year', purpose: 'Keep it.', keeperType: 'journal', memoryPattern: 'sole' }
  const { id } = await keeper.callApi<Keeper>('/api/keeper/keepers', harbour, { token })
  await page.goto(`/keeper/${id}/voice-panel`)
  const form = page.getByRole('form', { name: 'New voice entry' })
  const add = page.getByRole('button', { name: 'Add Voice Entry' }).first()
  await add.click()
  const record = async () => {
    await form.getByRole('button', { name: 'Record', exact: true }).click()
    await expect(form.getByRole('timer')).toHaveText('0:01')
  }
  const write = async (label: string, belief: string) => {
    await form.getByLabel('Label').fill(label)
    await form.getByLabel('Belief').fill(belief)
  }
  const save = () => form.getByRole('button', { name: 'Add Voice Entry' }).click()
  const fetchEntries = () =>
    keeper.callApi<VoiceEntry[]>(`/api/keeper/keepers/${id}/voice-entries`, undefined, { token })
  return { form, add, record, write, save, fetchEntries }
}

/** Uploads wait until the returned function is called. */
async function delayUploads(page: Page): Promise<() => void> {
  const gate = Promise.withResolvers<void>()
  await page.route('**/media?*', async (route) => {
    await gate.promise
    await route.continue()
  })
  return gate.resolve
}

const microphones = (page: Page) => page.evaluate(() => window.microphones.map(({ readyState }) => readyState))

test('text typed while recording and uploading is saved with the recording @long', async ({ page, keeper }) => {
  const { form, record, write, save, fetchEntries } = await openNewEntry(page, keeper)
  const releaseUploads = await delayUploads(page)
  await record()
  await write('Promises', 'A promise is kept.')
  await form.getByRole('button', { name: 'Stop' }).click()
  await expect(form.getByRole('button', { name: 'Saving recording...' })).toBeVisible()
  await form.getByLabel('Belief').fill('A promise is kept, also the small ones.')
  releaseUploads()
  await expect(form.locator('audio')).toHaveAttribute('src', /^blob:/)
  await expect(form.getByLabel('Label')).toHaveValue('Promises')
  await expect(form.getByLabel('Belief')).toHaveValue('A promise is kept, also the small ones.')
  await save()
  await expect(form).toHaveCount(0)
  expect(await fetchEntries()).toMatchObject([
    { label: 'Promises', belief: 'A promise is kept, also the small ones.', audioId: expect.any(String) },
  ])
})

test('a lost microphone ends the recording and keeps it so far @long', async ({ page, keeper }) => {
  const { form, record } = await openNewEntry(page, keeper)
  await record()
  await page.evaluate(() => {
    for (const microphone of window.microphones) microphone.stop()
  })
  await expect(form.getByRole('timer')).toHaveCount(0)
  await expect(form.getByRole('alert')).toHaveText(/^The microphone was disconnected/)
  await expect(form.locator('audio')).toHaveAttribute('src', /^blob:/)
  await expectNoViolations(page, 'after the microphone was lost')
})

test('saving while recording saves the recording, and the next entry is new @long', async ({ page, keeper }) => {
  const { form, add, record, write, save, fetchEntries } = await openNewEntry(page, keeper)
  const releaseUploads = await delayUploads(page)
  await write('Sea', 'The tide forgives.')
  await record()
  await save()
  await expect(form.getByText('The recording is saved first')).toBeVisible()
  expect(await microphones(page)).toEqual(['ended'])
  expect(await fetchEntries(), 'the entry waits for its recording').toEqual([])
  releaseUploads()
  await expect(form).toHaveCount(0)
  expect(await fetchEntries()).toMatchObject([{ label: 'Sea', audioId: expect.any(String) }])
  await add.click()
  await write('Singing', 'I sing.')
  await save()
  await expect(form).toHaveCount(0)
  expect((await fetchEntries()).map(({ label, audioId }) => [label, audioId !== null]).sort()).toEqual([
    ['Sea', true],
    ['Singing', false],
  ])
})

test('a failed recording upload holds back its entry', async ({ page, keeper, watch }) => {
  watch.expectLine(/status of 500/)
  const { form, record, write, save, fetchEntries } = await openNewEntry(page, keeper)
  await page.route('**/media?*', (route) =>
    route.fulfill({ status: 500, json: { success: false, error: 'Something failed.' } }),
  )
  await write('Sea', 'The tide forgives.')
  await record()
  await save()
  await expect(form.getByText('Error: Failed to save the recording')).toBeVisible()
  expect(await fetchEntries()).toEqual([])
  await page.unrouteAll()
  await form.getByRole('button', { name: 'Try again' }).click()
  await expect(form.locator('audio')).toHaveAttribute('src', /^blob:/)
  await save()
  await expect(form).toHaveCount(0)
  expect(await fetchEntries()).toMatchObject([{ label: 'Sea', audioId: expect.any(String) }])
})

test('leaving while recording keeps it in the form, cancelling discards it @long', async ({ page, keeper }) => {
  const { form, add, record, write } = await openNewEntry(page, keeper)
  await write('Sea', 'The tide forgives.')
  await record()
  const uploaded = page.waitForResponse((response) => response.url().includes('/media?'))
  await page.getByRole('link', { name: 'Back to Keepers' }).click()
  await uploaded
  expect(await microphones(page)).toEqual(['ended'])
  await page.goBack()
  await add.click()
  await expect(form.getByLabel('Label')).toHaveValue('Sea')
  await expect(form.locator('audio')).toHaveAttribute('src', /^blob:/)

  const releaseUploads = await delayUploads(page)
  await form.getByRole('button', { name: 'Record again' }).click()
  await expect(form.getByRole('timer')).toHaveText('0:01')
  await form.getByRole('button', { name: 'Stop' }).click()
  await expect(form.getByRole('button', { name: 'Saving recording...' })).toBeVisible()
  await form.getByRole('button', { name: 'Cancel' }).click()
  const arrived = page.waitForResponse((response) => response.url().includes('/media?'))
  releaseUploads()
  await arrived
  await page.reload()
  await add.click()
  await expect(form.getByLabel('Label')).toHaveValue('')
  await expect(form.locator('audio')).toHaveCount(0)
})

test('a microphone allowed after leaving is released right away @long', async ({ page, keeper }) => {
  const { form } = await openNewEntry(page, keeper)
  await page.evaluate(() => {
    const question = Promise.withResolvers<void>()
    window.question = question.promise
    window.answerQuestion = question.resolve
  })
  await form.getByRole('button', { name: 'Record', exact: true }).click()
  await expect(form.getByRole('button', { name: 'Asking...' })).toBeVisible()
  await form.getByRole('button', { name: 'Cancel' }).click()
  await page.evaluate(() => window.answerQuestion())
  await expect.poll(() => microphones(page)).toEqual(['ended'])
})

test('a browser that cannot record releases the microphone @long', async ({ page, keeper }) => {
  const { form } = await openNewEntry(page, keeper)
  await page.evaluate(() => {
    window.AudioContext = class {
      constructor() {
        throw new DOMException('no more of them', 'NotSupportedError')
      }
    } as unknown as typeof AudioContext
  })
  await form.getByRole('button', { name: 'Record', exact: true }).click()
  await expect(form.getByRole('alert')).toHaveText('This browser can’t record sound here.')
  expect(await microphones(page)).toEqual(['ended'])
})

test('a recording cut off by closing the page can be kept or discarded @long', async ({
  page,
  keeper,
  context,
  watch,
}) => {
  const { record, write, fetchEntries } = await openNewEntry(page, keeper)
  await write('Sea', 'The tide forgives.')
  await record()
  await expect(page.getByRole('timer')).toHaveText('0:03')
  const [address, cutOff] = [page.url(), /^A recording was cut off when its page was closed/]
  const other = await context.newPage()
  await watch.watchPage(other)
  await other.goto(address)
  await expect(other.getByRole('button', { name: 'Add Voice Entry' }).first()).toBeVisible()
  await expect(other.getByText(cutOff), 'it is still recording').toHaveCount(0)

  await page.close()
  await other.reload()
  await expect(other.getByText(cutOff)).toBeVisible()
  await expectNoViolations(other, 'with an interrupted recording')
  await other.getByRole('button', { name: 'Listen' }).click()
  const form = other.getByRole('form', { name: 'New voice entry' })
  await expect(form.getByText(/^A recording of 0:\d\d was cut off/)).toBeVisible()
  await expect(form.getByLabel('Label')).toHaveValue('Sea')
  const sound = form.getByLabel('The recording that was cut off')
  await expect
    .poll(() => sound.evaluate((audio: HTMLAudioElement) => audio.error ?? audio.readyState))
    .toBeGreaterThan(0)
  await expectNoViolations(other, 'in the form with an interrupted recording')
  await form.getByRole('button', { name: 'Keep recording' }).click()
  await expect(sound).toHaveCount(0)
  await expect(form.locator('audio')).toHaveAttribute('src', /^blob:/)
  await form.getByRole('button', { name: 'Add Voice Entry' }).click()
  await expect(form).toHaveCount(0)
  const [entry, ...otherEntries] = await fetchEntries()
  expect(otherEntries).toEqual([])
  expect(entry).toMatchObject({ label: 'Sea', audioId: expect.any(String) })
  expect(entry?.durationMs).toBeGreaterThan(1500)
  await other.reload()
  await expect(other.getByText('The tide forgives.')).toBeVisible()
  await expect(other.getByText(cutOff)).toHaveCount(0)

  await other.getByRole('button', { name: 'Add Voice Entry' }).click()
  await form.getByRole('button', { name: 'Record', exact: true }).click()
  await expect(form.getByRole('timer')).toHaveText('0:02')
  await other.reload()
  await other.getByRole('button', { name: 'Listen' }).click()
  await form.getByRole('button', { name: 'Discard recording' }).click()
  await expect(sound).toHaveCount(0)
  await other.reload()
  await expect(other.getByRole('button', { name: 'Add Voice Entry' }).first()).toBeVisible()
  await expect(other.getByText(cutOff)).toHaveCount(0)
  expect(await fetchEntries()).toHaveLength(1)
})
