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
    permissionPrompt: Promise<void> | undefined
    answerPermissionPrompt: () => void
  }
}

/** Opens a new voice entry in a browser that records the microphones it hands out. */
async function openNewEntry(page: Page, keeper: BuiltKeeper) {
  await page.addInitScript(() => {
    window.microphones = []
    const devices = navigator.mediaDevices
    const getUserMedia = devices.getUserMedia.bind(devices)
    devices.getUserMedia = async (constraints) => {
      await window.permissionPrompt
      const stream = await getUserMedia(constraints)
      window.microphones.push(...stream.getTracks())
      return stream
    }
  })
  const { token } = await registerAndSignIn(page, keeper, 'ada')
  const keeperInput = { title: 'The Harbour Year', purpose: 'Keep it.', keeperType: 'journal', memoryPattern: 'sole' }
  const { id } = await keeper.callApi<Keeper>('/api/keeper/keepers', keeperInput, { token })
  await page.goto(`/keeper/${id}/voice-panel`)
  const form = page.getByRole('form', { name: 'New voice entry' })
  const addButton = page.getByRole('button', { name: 'Add Voice Entry' }).first()
  await addButton.click()
  const startRecording = async () => {
    await form.getByRole('button', { name: 'Record', exact: true }).click()
    await expect(form.getByRole('timer')).toHaveText('0:01')
  }
  const fillEntry = async (label: string, belief: string) => {
    await form.getByLabel('Label').fill(label)
    await form.getByLabel('Belief').fill(belief)
  }
  const saveEntry = () => form.getByRole('button', { name: 'Add Voice Entry' }).click()
  const fetchEntries = () =>
    keeper.callApi<VoiceEntry[]>(`/api/keeper/keepers/${id}/voice-entries`, undefined, { token })
  return { form, addButton, startRecording, fillEntry, saveEntry, fetchEntries }
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

const readMicrophoneStates = (page: Page) => page.evaluate(() => window.microphones.map(({ readyState }) => readyState))

test('text typed while recording and uploading is saved with the recording @long', async ({ page, keeper }) => {
  const { form, startRecording, fillEntry, saveEntry, fetchEntries } = await openNewEntry(page, keeper)
  const releaseUploads = await delayUploads(page)
  await startRecording()
  await fillEntry('Promises', 'A promise is kept.')
  await form.getByRole('button', { name: 'Stop' }).click()
  await expect(form.getByRole('button', { name: 'Saving recording...' })).toBeVisible()
  await form.getByLabel('Belief').fill('A promise is kept, also the small ones.')
  releaseUploads()
  await expect(form.locator('audio')).toHaveAttribute('src', /^blob:/)
  await expect(form.getByLabel('Label')).toHaveValue('Promises')
  await expect(form.getByLabel('Belief')).toHaveValue('A promise is kept, also the small ones.')
  await saveEntry()
  await expect(form).toHaveCount(0)
  expect(await fetchEntries()).toMatchObject([
    { label: 'Promises', belief: 'A promise is kept, also the small ones.', audioId: expect.any(String) },
  ])
})

test('a lost microphone ends the recording and keeps it so far @long', async ({ page, keeper }) => {
  const { form, startRecording } = await openNewEntry(page, keeper)
  await startRecording()
  await page.evaluate(() => {
    for (const microphone of window.microphones) microphone.stop()
  })
  await expect(form.getByRole('timer')).toHaveCount(0)
  await expect(form.getByRole('alert')).toHaveText(/^The microphone was disconnected/)
  await expect(form.locator('audio')).toHaveAttribute('src', /^blob:/)
  await expectNoViolations(page, 'after the microphone was lost')
})

test('saving while recording saves the recording, and the next entry is new @long', async ({ page, keeper }) => {
  const { form, addButton, startRecording, fillEntry, saveEntry, fetchEntries } = await openNewEntry(page, keeper)
  const releaseUploads = await delayUploads(page)
  await fillEntry('Sea', 'The tide forgives.')
  await startRecording()
  await saveEntry()
  await expect(form.getByText('The recording is saved first')).toBeVisible()
  expect(await readMicrophoneStates(page)).toEqual(['ended'])
  expect(await fetchEntries(), 'the entry waits for its recording').toEqual([])
  releaseUploads()
  await expect(form).toHaveCount(0)
  expect(await fetchEntries()).toMatchObject([{ label: 'Sea', audioId: expect.any(String) }])
  await addButton.click()
  await fillEntry('Singing', 'I sing.')
  await saveEntry()
  await expect(form).toHaveCount(0)
  expect((await fetchEntries()).map(({ label, audioId }) => [label, audioId !== null]).sort()).toEqual([
    ['Sea', true],
    ['Singing', false],
  ])
})

test('a failed recording upload holds back its entry', async ({ page, keeper, watch }) => {
  watch.expectLine(/status of 500/)
  const { form, startRecording, fillEntry, saveEntry, fetchEntries } = await openNewEntry(page, keeper)
  await page.route('**/media?*', (route) =>
    route.fulfill({ status: 500, json: { success: false, error: 'Something failed.' } }),
  )
  await fillEntry('Sea', 'The tide forgives.')
  await startRecording()
  await saveEntry()
  await expect(form.getByText('Error: Failed to save the recording')).toBeVisible()
  expect(await fetchEntries()).toEqual([])
  await page.unrouteAll()
  await form.getByRole('button', { name: 'Try again' }).click()
  await expect(form.locator('audio')).toHaveAttribute('src', /^blob:/)
  await saveEntry()
  await expect(form).toHaveCount(0)
  expect(await fetchEntries()).toMatchObject([{ label: 'Sea', audioId: expect.any(String) }])
})

test('leaving while recording keeps it in the form, cancelling discards it @long', async ({ page, keeper }) => {
  const { form, addButton, startRecording, fillEntry } = await openNewEntry(page, keeper)
  await fillEntry('Sea', 'The tide forgives.')
  await startRecording()
  const uploadResponse = page.waitForResponse((response) => response.url().includes('/media?'))
  await page.getByRole('link', { name: 'Back to Keepers' }).click()
  await uploadResponse
  expect(await readMicrophoneStates(page)).toEqual(['ended'])
  await page.goBack()
  await addButton.click()
  await expect(form.getByLabel('Label')).toHaveValue('Sea')
  await expect(form.locator('audio')).toHaveAttribute('src', /^blob:/)

  const releaseUploads = await delayUploads(page)
  await form.getByRole('button', { name: 'Record again' }).click()
  await expect(form.getByRole('timer')).toHaveText('0:01')
  await form.getByRole('button', { name: 'Stop' }).click()
  await expect(form.getByRole('button', { name: 'Saving recording...' })).toBeVisible()
  await form.getByRole('button', { name: 'Cancel' }).click()
  const lateUploadResponse = page.waitForResponse((response) => response.url().includes('/media?'))
  releaseUploads()
  await lateUploadResponse
  await page.reload()
  await addButton.click()
  await expect(form.getByLabel('Label')).toHaveValue('')
  await expect(form.locator('audio')).toHaveCount(0)
})

test('a microphone allowed after leaving is released right away @long', async ({ page, keeper }) => {
  const { form } = await openNewEntry(page, keeper)
  await page.evaluate(() => {
    const prompt = Promise.withResolvers<void>()
    window.permissionPrompt = prompt.promise
    window.answerPermissionPrompt = prompt.resolve
  })
  await form.getByRole('button', { name: 'Record', exact: true }).click()
  await expect(form.getByRole('button', { name: 'Asking...' })).toBeVisible()
  await form.getByRole('button', { name: 'Cancel' }).click()
  await page.evaluate(() => window.answerPermissionPrompt())
  await expect.poll(() => readMicrophoneStates(page)).toEqual(['ended'])
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
  expect(await readMicrophoneStates(page)).toEqual(['ended'])
})

test('a recording cut off by closing the page can be kept or discarded @long', async ({
  page,
  keeper,
  context,
  watch,
}) => {
  const { startRecording, fillEntry, fetchEntries } = await openNewEntry(page, keeper)
  await fillEntry('Sea', 'The tide forgives.')
  await startRecording()
  await expect(page.getByRole('timer')).toHaveText('0:03')
  const [address, cutOffNotice] = [page.url(), /^A recording was cut off when its page was closed/]
  const otherTab = await context.newPage()
  await watch.watchPage(otherTab)
  await otherTab.goto(address)
  await expect(otherTab.getByRole('button', { name: 'Add Voice Entry' }).first()).toBeVisible()
  await expect(otherTab.getByText(cutOffNotice), 'it is still recording').toHaveCount(0)

  await page.close()
  await otherTab.reload()
  await expect(otherTab.getByText(cutOffNotice)).toBeVisible()
  await expectNoViolations(otherTab, 'with an interrupted recording')
  await otherTab.getByRole('button', { name: 'Listen' }).click()
  const form = otherTab.getByRole('form', { name: 'New voice entry' })
  await expect(form.getByText(/^A recording of 0:\d\d was cut off/)).toBeVisible()
  await expect(form.getByLabel('Label')).toHaveValue('Sea')
  const sound = form.getByLabel('The recording that was cut off')
  await expect
    .poll(() => sound.evaluate((audio: HTMLAudioElement) => audio.error ?? audio.readyState))
    .toBeGreaterThan(0)
  await expectNoViolations(otherTab, 'in the form with an interrupted recording')
  await form.getByRole('button', { name: 'Keep recording' }).click()
  await expect(sound).toHaveCount(0)
  await expect(form.locator('audio')).toHaveAttribute('src', /^blob:/)
  await form.getByRole('button', { name: 'Add Voice Entry' }).click()
  await expect(form).toHaveCount(0)
  const [entry, ...otherEntries] = await fetchEntries()
  expect(otherEntries).toEqual([])
  expect(entry).toMatchObject({ label: 'Sea', audioId: expect.any(String) })
  expect(entry?.durationMs).toBeGreaterThan(1500)
  await otherTab.reload()
  await expect(otherTab.getByText('The tide forgives.')).toBeVisible()
  await expect(otherTab.getByText(cutOffNotice)).toHaveCount(0)

  await otherTab.getByRole('button', { name: 'Add Voice Entry' }).click()
  await form.getByRole('button', { name: 'Record', exact: true }).click()
  await expect(form.getByRole('timer')).toHaveText('0:02')
  await otherTab.reload()
  await otherTab.getByRole('button', { name: 'Listen' }).click()
  await form.getByRole('button', { name: 'Discard recording' }).click()
  await expect(sound).toHaveCount(0)
  await otherTab.reload()
  await expect(otherTab.getByRole('button', { name: 'Add Voice Entry' }).first()).toBeVisible()
  await expect(otherTab.getByText(cutOffNotice)).toHaveCount(0)
  expect(await fetchEntries()).toHaveLength(1)
})
