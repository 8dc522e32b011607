import type { Page } from '@playwright/test'
import type { Media } from '#contract/keepers/media.ts'
import type { BuiltKeeper } from './built-keeper.ts'
import { expectNoViolations } from './expect-no-violations.ts'
import { expect, test } from './fixtures.ts'
import { openMoments } from './open-moments.ts'
import { readPdf } from './read-pdf.ts'

const picture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAYAAABytg0kAAAAFElEQVR42mNkYPhfz0AEYBxVSF+FAAhKDveksOjmAAAAAElFTkSuQmCC',
  'base64',
)
const pictureCount = 14

/** Moments with one picture each, on the first days of as many months. */
async function openPictures(page: Page, keeper: BuiltKeeper) {
  const { id, token, address } = await openMoments(page, keeper)
  for (let n = 1; n <= pictureCount; n++) {
    const response = await fetch(`${keeper.url}/api/keeper/keepers/${id}/media?width=900&height=700`, {
      method: 'POST',
      headers: { 'content-type': 'image/png', authorization: `Bearer ${token}` },
      body: picture,
    })
    const { data } = (await response.json()) as { data: Media }
    const day = new Date(Date.UTC(2009, n, 1, 10)).toISOString()
    const moment = { body: `Moment number ${n}.`, occurredAt: day, timezone: 'UTC', mediaIds: [data.id] }
    await keeper.callApi(`/api/keeper/keepers/${id}/moments`, moment, { token })
  }
  return { id, address }
}

const printToPdf = async (page: Page, name: string) =>
  readPdf(await page.pdf({ format: 'A4', path: test.info().outputPath(`${name}.pdf`) }))
const countLoadedPictures = (page: Page) => page.locator('article img').count()
const countWallPictures = (page: Page) => page.locator('main li img').count()

test('all pictures and only content are on paper @long', async ({ page, keeper }) => {
  test.slow()
  const { id, address } = await openPictures(page, keeper)
  let release = () => {}
  const gate = new Promise<void>((resolve) => {
    release = resolve
  })
  let isHeld = false
  await page.route('**/api/keeper/media/*', async (route) => {
    if (isHeld) await gate
    await route.continue()
  })
  await page.goto(address)
  await expect.poll(() => countLoadedPictures(page)).toBeGreaterThan(1)
  isHeld = true
  const loadedCount = await countLoadedPictures(page)
  const direct = await printToPdf(page, 'direct')
  expect(direct.images, 'loaded pictures are printed').toBeGreaterThanOrEqual(loadedCount)
  for (let n = 1; n <= pictureCount; n++) expect(direct.text).toContain(`Moment number ${n}.`)
  expect(direct.text).not.toContain('Skip to content')

  await page.evaluate(() => {
    window.print = () => document.body.setAttribute('data-test-printed', '')
  })
  await page.getByRole('button', { name: 'Print', exact: true }).click()
  const status = page.getByText(/^\d+ pictures are still loading$/)
  await expect(status).toHaveText(`${pictureCount - loadedCount} pictures are still loading`)
  await expectNoViolations(page, 'while pictures load')
  await expect(page.locator('body')).not.toHaveAttribute('data-test-printed')
  release()
  await expect(page.locator('body')).toHaveAttribute('data-test-printed')
  await expect(status).toHaveCount(0)
  const printedTimeline = await printToPdf(page, 'timeline')
  expect(printedTimeline.images).toBe(pictureCount)
  expect(printedTimeline.text).not.toContain('Skip to content')
  expect(printedTimeline.text).not.toContain('What is worth keeping from today?')

  await page.goto(`${address}?view=media`)
  await page.getByRole('button', { name: 'Print', exact: true }).click()
  await expect.poll(() => countWallPictures(page)).toBe(pictureCount)
  expect((await printToPdf(page, 'wall')).images).toBe(pictureCount)

  await page.goto(address)
  await page.getByRole('button', { name: 'Print', exact: true }).click()
  await expect.poll(() => countLoadedPictures(page)).toBe(pictureCount)
  await expect(page.locator('[data-busy]')).toHaveCount(0)
  for (const name of ['once', 'again']) expect((await printToPdf(page, name)).images, name).toBe(pictureCount)
  await page.keyboard.press('Tab')
  await expect.poll(() => countLoadedPictures(page), 'the list is virtual again').toBeLessThan(pictureCount)

  await page.goto(`/keeper/${id}/book?from=2009-02-01&to=2009-12-31`)
  await expect(page.getByText(/^11 entries and 11 pictures from Sunday, February 1, 2009/)).toBeVisible()
  await expectNoViolations(page, 'the book')
  await page.evaluate(() => {
    window.print = () => document.body.setAttribute('data-test-printed', '')
  })
  await page.getByRole('button', { name: 'Print', exact: true }).click()
  await expect(page.locator('body')).toHaveAttribute('data-test-printed')
  const book = await printToPdf(page, 'book')
  expect(book.images, 'with the drawing on the cover').toBe(12)
  expect(book.pages).toBeGreaterThanOrEqual(13)
  expect(book.text).toContain('Contents')
  expect(book.text).not.toMatch(/Skip to content|EPUB/)
  const file = page.waitForEvent('download')
  await page.getByRole('button', { name: 'EPUB' }).click()
  await (await file).saveAs(test.info().outputPath('book.epub'))
  expect((await file).suggestedFilename()).toBe('the-harbour-year-2009-02-01-2009-12-31.epub')
})
