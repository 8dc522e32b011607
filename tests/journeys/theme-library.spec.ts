import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import type { Theme } from '#contract/themes/themes.ts'
import type { BuiltKeeper } from './built-keeper.ts'
import { expectNoViolations } from './expect-no-violations.ts'
import { expect, registerAndSignIn, test } from './fixtures.ts'

const getRootElement = (page: Page) => page.locator('html')
const getCard = (page: Page, name: string) => page.getByRole('article', { name })

/** Creates a theme through the API, based on forest-deep. */
async function createTheme(keeper: BuiltKeeper, token: string, overrides: Partial<Theme>): Promise<Theme> {
  const { light, dark } = await keeper.callApi<Theme>('/api/themes/forest-deep')
  return keeper.callApi<Theme>('/api/themes', { name: 'Harbour Fog', light, dark, ...overrides }, { token })
}

test.use({ contextOptions: { colorScheme: 'light' } })

test('a theme chosen by keyboard is applied, saved and synced to other tabs @long', async ({ page, keeper, watch }) => {
  const { token } = await registerAndSignIn(page, keeper, 'ada', { path: '/studio/themes' })
  await expect(page.getByRole('heading', { level: 1, name: 'Theme Library' })).toBeVisible()
  await expect(getCard(page, 'Keeper Classic').getByText('Lowest text contrast 4.8 / 5.5')).toBeVisible()
  await expect(getCard(page, 'Keeper Classic').getByRole('button', { name: 'is in use' })).toBeVisible()
  await expectNoViolations(page, 'the library')

  await page.getByRole('tab', { name: 'Theme Library' }).focus()
  const useButton = page.getByRole('button', { name: 'Use Ocean Calm' })
  for (
    let presses = 0;
    presses < 20 && !(await useButton.evaluate((element) => element === document.activeElement));
    presses++
  )
    await page.keyboard.press('Tab')
  const saveResponse = page.waitForResponse(
    (response) => response.url().endsWith('/api/kam/settings') && response.request().method() === 'PUT',
  )
  await page.keyboard.press('Enter')
  await expect(getRootElement(page)).toHaveAttribute('data-theme', 'ocean-calm')
  await expect(page.getByRole('button', { name: 'Ocean Calm is in use' })).toBeFocused()
  expect((await saveResponse).status()).toBe(200)
  expect(await keeper.callApi('/api/kam/settings', undefined, { token })).toEqual({ preferred_theme_id: 'ocean-calm' })

  const otherTab = await page.context().newPage()
  await watch.watchPage(otherTab)
  await otherTab.goto('/root')
  await expect(getRootElement(otherTab)).toHaveAttribute('data-theme', 'ocean-calm')
  await page.reload()
  await expect(page.getByRole('button', { name: 'Ocean Calm is in use' })).toBeVisible()

  await page.getByRole('radiogroup', { name: 'Light or dark' }).getByText('Dark').click()
  await expect(getRootElement(page)).toHaveAttribute('data-mode', 'dark')
  await expect(page.getByText('Keeper is always dark.')).toBeVisible()
  await expect(getRootElement(otherTab)).toHaveAttribute('data-mode', 'dark')
})

test('hovering previews a theme; leaving or Esc ends it without requests @long', async ({ page, keeper }) => {
  const { token } = await registerAndSignIn(page, keeper, 'ada')
  await createTheme(keeper, token, {
    light: { ...(await keeper.callApi<Theme>('/api/themes/ocean-calm')).light, background: '#ffeedd' },
  })
  await page.goto('/studio/themes')
  await expect(getCard(page, 'Harbour Fog')).toBeVisible()
  const sentRequests: string[] = []
  page.on(
    'request',
    (request) => request.method() !== 'GET' && sentRequests.push(`${request.method()} ${request.url()}`),
  )
  const getBackgroundColor = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)
  const classicColor = await getBackgroundColor()
  const getStoredTheme = () => page.evaluate(() => localStorage.getItem('keeper-theme'))
  const storedTheme = await getStoredTheme()

  await getCard(page, 'Midnight Elegant').hover()
  await expect(getRootElement(page)).toHaveAttribute('data-theme', 'midnight-elegant')
  await getCard(page, 'Harbour Fog').hover()
  await expect.poll(getBackgroundColor).toBe('rgb(255, 238, 221)')
  await page.getByRole('heading', { level: 1 }).hover()
  await expect(getRootElement(page)).toHaveAttribute('data-theme', 'keeper-classic')
  await expect.poll(getBackgroundColor).toBe(classicColor)

  await getCard(page, 'Forest Deep').hover()
  await expect(getRootElement(page)).toHaveAttribute('data-theme', 'forest-deep')
  await page.keyboard.press('Escape')
  await expect(getRootElement(page)).toHaveAttribute('data-theme', 'keeper-classic')
  expect(await page.getByRole('button', { name: 'Keeper Classic is in use' }).count()).toBe(1)

  // Keyboard focus previews as well.
  await page.getByRole('button', { name: 'More for Keeper Classic' }).focus()
  await page.keyboard.press('Tab')
  await expect(getRootElement(page)).toHaveAttribute('data-theme', 'forest-deep')
  await page.keyboard.press('Escape')
  await expect(getRootElement(page)).toHaveAttribute('data-theme', 'keeper-classic')

  // Passing over a card shows no preview.
  await page.evaluate(() => {
    const recordedThemes: (string | undefined)[] = []
    Object.assign(window, { recordedThemes })
    new MutationObserver(() => recordedThemes.push(document.documentElement.dataset.theme)).observe(
      document.documentElement,
      {
        attributeFilter: ['data-theme'],
      },
    )
  })
  const box = await getCard(page, 'Sunset Warm').boundingBox()
  if (!box) throw new Error('The card is missing.')
  await page.mouse.move(box.x + 20, box.y + 20)
  await page.mouse.move(600, 20)
  await page.waitForTimeout(500)
  expect(await page.evaluate(() => (window as unknown as { recordedThemes: string[] }).recordedThemes)).toEqual([])
  await getCard(page, 'Ocean Calm').hover()
  await expect(getRootElement(page)).toHaveAttribute('data-theme', 'ocean-calm')
  await page.getByRole('tab', { name: 'Studio', exact: true }).click()
  await expect(getRootElement(page)).toHaveAttribute('data-theme', 'keeper-classic')
  expect({ sentRequests, theme: await getStoredTheme() }).toEqual({ sentRequests: [], theme: storedTheme })
})

test('a choice that fails to save is reverted and explained @long', async ({ page, keeper, watch }) => {
  await registerAndSignIn(page, keeper, 'ada', { path: '/studio/themes' })
  watch.expectLine(/503/)
  await page.route('**/api/kam/settings', (route) =>
    route.request().method() === 'PUT'
      ? route.fulfill({ status: 503, json: { success: false, error: 'The server is busy.', code: 'unavailable' } })
      : route.fallback(),
  )
  await page.getByRole('button', { name: 'Use Forest Deep' }).click()
  await expect(page.getByText(/Forest Deep couldn’t be saved as your theme, so Keeper Classic is back/)).toBeVisible()
  await page.getByRole('heading', { level: 1 }).hover()
  await expect(getRootElement(page)).toHaveAttribute('data-theme', 'keeper-classic')
  await page.reload()
  await expect(page.getByRole('button', { name: 'Keeper Classic is in use' })).toBeVisible()
})

test('a theme is exported and imported, and bad files are explained @long', async ({ page, keeper }) => {
  const { token } = await registerAndSignIn(page, keeper, 'ada')
  const createdTheme = await createTheme(keeper, token, { note: 'Grey on grey.' })
  await page.goto('/studio/themes')
  await page.getByRole('button', { name: 'More for Harbour Fog' }).click()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: 'Export JSON' }).click(),
  ])
  expect(download.suggestedFilename()).toBe('harbour-fog.theme.json')
  const text = await readFile(await download.path(), 'utf8')
  const file = { mimeType: 'application/json', name: 'harbour-fog.theme.json' }
  const chooseFile = (content: string) =>
    page.locator('input[type=file]').setInputFiles({ ...file, buffer: Buffer.from(content) })

  await chooseFile(
    JSON.stringify({ ...JSON.parse(text), light: { ...createdTheme.light, muted: 'red', ring: undefined } }),
  )
  await expect(page.getByText('The light muted isn’t a color. Use a hex color like #2a3d58.')).toBeVisible()
  await expect(page.getByText('The light ring is missing. Use a hex color like #2a3d58.')).toBeVisible()
  const fetchOwnThemes = async () =>
    (await keeper.callApi<Theme[]>('/api/themes', undefined, { token })).filter(({ mine }) => mine)
  expect(await fetchOwnThemes()).toHaveLength(1)

  await chooseFile(JSON.stringify({ ...JSON.parse(text), somethingElse: 1 }))
  await expect(page.getByText('Imported Harbour Fog.')).toBeVisible()
  const [first, second] = await fetchOwnThemes()
  expect(second).toEqual({ ...first, id: second?.id, slug: second?.slug })
})

test('a deleted public theme falls back to the default until restored @long', async ({ page, keeper, anotherPage }) => {
  const { token } = await registerAndSignIn(page, keeper, 'ada')
  await createTheme(keeper, token, { name: 'Secret Cove' })
  await createTheme(keeper, token, { name: 'Open Sea', visibility: 'public' })
  const benPage = await anotherPage()
  await registerAndSignIn(benPage, keeper, 'ben', { path: '/studio/themes' })
  await expect(benPage.getByRole('heading', { name: 'Made by others' })).toBeVisible()
  await expect(getCard(benPage, 'Secret Cove')).toHaveCount(0)
  await expect(getCard(benPage, 'Open Sea').getByRole('button', { name: 'Edit' })).toHaveCount(0)
  await benPage.getByRole('button', { name: 'Use Open Sea' }).click()
  await expect(benPage.getByRole('button', { name: 'Open Sea is in use' })).toBeVisible()
  await benPage.goto('/root')
  await expect(getRootElement(benPage)).toHaveAttribute('data-theme', 'open-sea')

  await page.goto('/studio/themes')
  await page.getByRole('button', { name: 'Use Open Sea' }).click()
  await page.getByRole('button', { name: 'More for Open Sea' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await expect(page.getByText('Deleted Open Sea. Keeper Classic is in use again.')).toBeVisible()
  await expect(getRootElement(page)).toHaveAttribute('data-theme', 'keeper-classic')
  await expect(getCard(page, 'Open Sea')).toHaveCount(0)
  await benPage.reload()
  await expect(getRootElement(benPage)).toHaveAttribute('data-theme', 'keeper-classic')

  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByRole('button', { name: 'Open Sea is in use' })).toBeVisible()
  await benPage.reload()
  await expect(getRootElement(benPage)).toHaveAttribute('data-theme', 'open-sea')
})
