import type { Locator, Page } from '@playwright/test'
import { expectNoViolations } from './expect-no-violations.ts'
import { expect, test } from './fixtures.ts'
import { getComposer } from './locators.ts'
import { openMoments } from './open-moments.ts'
import { countStoredEntries } from './stored-entries.ts'

const picture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAYAAABytg0kAAAAFElEQVR42mNkYPhfz0AEYBxVSF+FAAhKDveksOjmAAAAAElFTkSuQmCC',
  'base64',
)
const getTextBox = (page: Page) => getComposer(page).getByRole('textbox', { name: 'What is worth keeping from today?' })
const getEditor = (page: Page) => page.getByRole('form', { name: 'Edit moment' })
const getCard = (page: Page, content: string) => page.getByRole('article').filter({ hasText: content })
const getUploadProgress = (page: Page, name: string) => page.getByRole('progressbar', { name: `Uploading ${name}` })

async function choosePicture(page: Page, form: Locator, name: string): Promise<void> {
  const files = page.waitForEvent('filechooser')
  await form.getByRole('textbox').first().focus()
  await form.getByRole('button', { name: 'Picture' }).click()
  await (await files).setFiles({ name, mimeType: 'image/png', buffer: picture })
}

/** Uploads reach the server only after `releaseUploads`. */
async function delayUploads(page: Page) {
  const gate = Promise.withResolvers<void>()
  await page.route('**/media?*', async (route) => {
    await gate.promise
    await route.continue().catch(() => undefined)
  })
  return { releaseUploads: () => gate.resolve() }
}

test('pictures added in two waiting edits survive a reload and are all sent @long', async ({ page, keeper, watch }) => {
  watch.expectLine(/ERR_INTERNET_DISCONNECTED/)
  const { listMoments } = await openMoments(page, keeper)
  await getTextBox(page).fill('The gate shuts.')
  await choosePicture(page, getComposer(page), 'one.png')
  await expect(getComposer(page).getByRole('button', { name: 'Remove one.png' })).toBeVisible()
  await getComposer(page).getByRole('button', { name: 'Add' }).click()
  await expect(getCard(page, 'The gate shuts.').locator('img')).toHaveCount(1)

  const writeUrl = /\/(media\?|moments\/)/
  await page.route(writeUrl, (route) =>
    ['POST', 'PUT', 'PATCH'].includes(route.request().method())
      ? route.abort('internetdisconnected')
      : route.fallback(),
  )
  await getCard(page, 'The gate shuts.').getByRole('button', { name: 'Edit' }).click()
  await choosePicture(page, getEditor(page), 'two.png')
  await expect(getEditor(page)).toContainText('Waiting to be sent')
  await getEditor(page).getByRole('button', { name: 'Save' }).click()
  await expect(getEditor(page)).toHaveCount(0)
  await expect(getCard(page, 'Changes waiting to be sent').locator('img')).toHaveCount(2)
  // Files just chosen are still in memory, so only a reload proves they are stored.
  await page.reload()
  await expect(getCard(page, 'Changes waiting to be sent').locator('img')).toHaveCount(2)

  await getCard(page, 'The gate shuts.').getByRole('button', { name: 'Edit' }).click()
  for (const name of ['one.png', 'two.png'])
    await expect(getEditor(page).getByRole('button', { name: `Remove ${name}` })).toBeVisible()
  await choosePicture(page, getEditor(page), 'three.png')
  await expect(getEditor(page)).toContainText('Waiting to be sent')
  await getEditor(page).getByRole('button', { name: 'Save' }).click()
  await expect(getEditor(page)).toHaveCount(0)
  await expect(getCard(page, 'Changes waiting to be sent').locator('img')).toHaveCount(3)
  expect((await listMoments())[0]?.media, 'nothing was sent').toHaveLength(1)
  await page.unroute(writeUrl)
  await page.reload()
  await expect(getCard(page, 'The gate shuts.')).not.toContainText('Changes waiting to be sent', { timeout: 30_000 })
  expect((await listMoments())[0]?.media.map(({ name }) => name)).toEqual(['one.png', 'two.png', 'three.png'])
})

test('an upload continues after leaving its moment and is in the draft later @long', async ({ page, keeper }) => {
  const { listMoments, address } = await openMoments(page, keeper)
  const uploads = await delayUploads(page)
  await getTextBox(page).fill('Fog at the quay.')
  await choosePicture(page, getComposer(page), 'quay.png')
  await expect(getUploadProgress(page, 'quay.png')).toBeVisible()
  await page.getByRole('link', { name: 'Back to Keepers' }).click()
  await expect(getComposer(page)).toHaveCount(0)
  await page.goBack()
  await expect(getUploadProgress(page, 'quay.png')).toBeVisible()
  await expect(getTextBox(page)).toHaveValue('Fog at the quay.')
  await expect(
    getComposer(page).getByRole('button', { name: 'Add' }),
    'it is not saved without the file',
  ).toBeDisabled()
  await expectNoViolations(page, 'a picture during its upload')
  await page.getByRole('link', { name: 'Back to Keepers' }).click()
  await expect(getComposer(page)).toHaveCount(0)
  const uploadResponse = page.waitForResponse(/\/media\?/)
  uploads.releaseUploads()
  await uploadResponse
  await page.goBack()
  await expect(getComposer(page).getByRole('button', { name: 'Remove quay.png' })).toBeVisible()
  await expect.poll(() => countStoredEntries(page, 'drafts')).toBe(1)
  await page.goto(address)
  await expect(getTextBox(page)).toHaveValue('Fog at the quay.')
  await expect(getComposer(page).locator('img')).toBeVisible()
  await getComposer(page).getByRole('button', { name: 'Add' }).click()
  await expect(getComposer(page).getByRole('status')).toHaveText('Saved.')
  expect(await listMoments()).toMatchObject([{ body: 'Fog at the quay.', media: [{ name: 'quay.png' }] }])
  await page.reload()
  await expect(getCard(page, 'Fog at the quay.')).toBeVisible()
  await expect(getTextBox(page), 'no draft appeared afterwards').toHaveValue('')
  await expect(getComposer(page).locator('img')).toHaveCount(0)
})

test('a running upload blocks leaving and signing out, and cancelling stops it', async ({ page, keeper }) => {
  const { listMoments } = await openMoments(page, keeper, [{ body: 'The ferry was late.' }])
  await delayUploads(page)
  await getCard(page, 'ferry').getByRole('button', { name: 'Edit' }).click()
  await choosePicture(page, getEditor(page), 'ferry.png')
  await expect(getUploadProgress(page, 'ferry.png')).toBeVisible()
  const dialogEvent = page.waitForEvent('dialog')
  await page.close({ runBeforeUnload: true })
  const question = await dialogEvent
  expect(question.type()).toBe('beforeunload')
  await question.dismiss()

  await page.getByRole('button', { name: 'Sign out' }).click()
  const dialog = page.getByRole('dialog', { name: 'Sign out and lose unsent changes?' })
  await expect(dialog).toContainText('1 file uploading')
  await expect(dialog).toContainText('ferry.png')
  await dialog.getByRole('button', { name: 'Cancel' }).click()

  const abortedUpload = page.waitForEvent('requestfailed', (request) => request.url().includes('/media?'))
  await getEditor(page).getByRole('button', { name: 'Cancel' }).click()
  await abortedUpload
  await getCard(page, 'ferry').getByRole('button', { name: 'Edit' }).click()
  await expect(getEditor(page).getByRole('textbox', { name: 'What happened' })).toHaveValue('The ferry was late.')
  await expect(getEditor(page).getByRole('progressbar')).toHaveCount(0)
  await expect(getEditor(page).locator('img')).toHaveCount(0)
  expect(await countStoredEntries(page, 'drafts')).toBe(0)
  await page.reload()
  await expect(getCard(page, 'ferry'), 'no more dialogs').toBeVisible()
  expect((await listMoments())[0]?.media).toEqual([])
})
