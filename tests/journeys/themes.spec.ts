import type { Page } from '@playwright/test'
import { cast } from '../cast.ts'
import { expect, registerAndSignIn, test } from './fixtures.ts'

const readPaintedStyle = (page: Page) =>
  page.evaluate(() => ({
    ...document.documentElement.dataset,
    background: getComputedStyle(document.documentElement).backgroundColor,
  }))

test("a page follows the system's dark and light mode while open @long", async ({ page, keeper }) => {
  await page.emulateMedia({ colorScheme: 'light' })
  for (const path of ['/', '/login', '/kip']) {
    await page.goto(path)
    const lightStyle = await readPaintedStyle(page)
    expect(lightStyle).toMatchObject({ theme: 'keeper-classic', mode: 'light' })
    await page.emulateMedia({ colorScheme: 'dark' })
    await expect(page.locator('html')).toHaveAttribute('data-mode', 'dark')
    await expect.poll(async () => (await readPaintedStyle(page)).background, path).not.toBe(lightStyle.background)
    await page.emulateMedia({ colorScheme: 'light' })
    await expect.poll(async () => (await readPaintedStyle(page)).background, path).toBe(lightStyle.background)
  }
  await registerAndSignIn(page, keeper, 'ada', { path: '/root' })
  await page.emulateMedia({ colorScheme: 'dark' })
  await expect(page.locator('html')).toHaveAttribute('data-mode', 'dark')
})

test('a book keeps its cloth in every theme, 15 % darker in dark mode @long', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'light' })
  await page.goto('/')
  const readCloth = (theme: string) =>
    page.evaluate((slug) => {
      document.documentElement.dataset.theme = slug
      const cover = document.querySelector('.book-cover')
      if (!cover) throw new Error('no cover')
      return (getComputedStyle(cover).backgroundColor.match(/[\d.]+/g) ?? []).slice(0, 3).map(Number)
    }, theme)
  const cloth = await readCloth('keeper-classic')
  expect(await readCloth('forest-deep')).toEqual(cloth)
  await page.emulateMedia({ colorScheme: 'dark' })
  await expect(page.locator('html')).toHaveAttribute('data-mode', 'dark')
  for (const [index, channel] of (await readCloth('forest-deep')).entries())
    expect(channel / (cloth[index] ?? 0)).toBeCloseTo(0.85, 2)
})

test('a chosen theme is applied before the first paint @long', async ({ page, keeper, watch }) => {
  watch.expectEndOfSession()
  await page.emulateMedia({ colorScheme: 'dark' })
  const { token } = await registerAndSignIn(page, keeper, 'ada')
  await keeper.callApi('/api/kam/settings', { preferred_theme_id: 'forest-deep' }, { token, method: 'PUT' })
  await page.goto('/root')
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'forest-deep')

  await page.addInitScript(() => {
    const recordedThemes: string[] = []
    Object.assign(window, { recordedThemes })
    const recordTheme = () => {
      const { theme, mode } = document.documentElement.dataset
      recordedThemes.push(`${theme} ${mode}`)
    }
    requestAnimationFrame(recordTheme)
    new MutationObserver(recordTheme).observe(document, { attributeFilter: ['data-theme', 'data-mode'], subtree: true })
  })
  await page.reload()
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(page.getByRole('button', { name: /^Domains: Owner/ })).toBeVisible()
  const recordedThemes = await page.evaluate(() => (window as unknown as { recordedThemes: string[] }).recordedThemes)
  expect([...new Set(recordedThemes)]).toEqual(['forest-deep dark'])

  await page.getByRole('button', { name: 'Sign out' }).click()
  await expect(page).toHaveURL(/\/login$/)
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'keeper-classic')
})

test('a corrupt stored theme does no harm @long', async ({ page }) => {
  await page.goto('/')
  await page.evaluate(() => localStorage.setItem('keeper-theme', '{"slug":'))
  await page.reload()
  expect(await readPaintedStyle(page)).toMatchObject({ theme: 'keeper-classic' })
})

test('missing theme data or settings fall back to the default @long', async ({ page, keeper, watch }) => {
  watch.expectLine(/The preferred theme could not be loaded/)
  watch.expectLine(/status of 500/)
  const loggedErrors: string[] = []
  page.on('console', (line) => line.type() === 'error' && loggedErrors.push(line.text()))
  const { token } = await registerAndSignIn(page, keeper, 'ada')
  await keeper.callApi('/api/kam/settings', { preferred_theme_id: 'forest-deep' }, { token, method: 'PUT' })
  await page.goto('/root')
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'forest-deep')
  expect(loggedErrors).toEqual([])

  await page.route('**/api/themes/forest-deep', (route) => route.fulfill({ json: { success: true } }))
  await page.reload()
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'keeper-classic')
  expect(loggedErrors).toEqual([expect.stringContaining('came without data')])

  await page.unroute('**/api/themes/forest-deep')
  await page.reload()
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'forest-deep')
  await page.route('**/api/kam/settings', (route) => route.fulfill({ status: 500, json: { success: false } }))
  await page.reload()
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'keeper-classic')
  await expect.poll(() => loggedErrors.filter((line) => line.includes('could not be loaded')).length).toBe(2)
})

test("a keeper shows its own theme without a flash, or the person's @long", async ({ page, keeper, watch }) => {
  watch.expectEndOfSession()
  const { token } = await registerAndSignIn(page, keeper, 'ada')
  await keeper.callApi('/api/kam/settings', { preferred_theme_id: 'midnight-elegant' }, { token, method: 'PUT' })
  const createKeeper = async (title: string, theme?: string) => {
    const { id } = await keeper.callApi<{ id: string }>(
      '/api/keeper/keepers',
      { title, purpose: 'To see its colors.', keeperType: 'journal', memoryPattern: 'journal', theme },
      { token },
    )
    return `/keeper/${id}/moments`
  }
  const [plainPath, themedPath] = [await createKeeper('No theme'), await createKeeper('Own theme', 'sunset-warm')]
  await page.goto('/root')
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'midnight-elegant')
  await page.addInitScript(() => {
    const recordedThemes: string[] = []
    Object.assign(window, { recordedThemes })
    const recordTheme = () => recordedThemes.push(String(document.documentElement.dataset.theme))
    requestAnimationFrame(recordTheme)
    new MutationObserver(recordTheme).observe(document, { attributeFilter: ['data-theme'], subtree: true })
  })
  const readPaintedThemes = async (path: string, title: string) => {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1, name: new RegExp(title) })).toBeVisible()
    await expect(page.getByRole('button', { name: /^Domains: Owner/ })).toBeVisible()
    return [...new Set(await page.evaluate(() => (window as unknown as { recordedThemes: string[] }).recordedThemes))]
  }
  expect(await readPaintedThemes(plainPath, 'No theme')).toEqual(['midnight-elegant'])
  await readPaintedThemes(themedPath, 'Own theme')
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'sunset-warm')
  expect(await readPaintedThemes(themedPath, 'Own theme'), 'cached by now').toEqual(['sunset-warm'])
  expect(await readPaintedThemes(plainPath, 'No theme')).toEqual(['midnight-elegant'])

  await page.goto(themedPath)
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'sunset-warm')
  await page.getByRole('link', { name: 'Back to Keepers' }).first().click()
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'midnight-elegant')
  await page.getByRole('button', { name: 'Sign out' }).click()
  await expect(page).toHaveURL(/\/login$/)
  await expect.poll(() => page.evaluate(() => localStorage.getItem('keeper-theme'))).not.toContain('sunset-warm')
})

test('a person whose borrowed theme was deleted is notified once @long', async ({ page, keeper }) => {
  const { token } = await registerAndSignIn(page, keeper, 'ada')
  const { light, dark } = await keeper.callApi<{ light: object; dark: object }>('/api/themes/forest-deep')
  const ben = await keeper.callApi<{ token: string }>('/api/kam/auth/register', cast.ben)
  const theme = { name: 'Open Sea', light, dark, visibility: 'public' }
  const { id } = await keeper.callApi<{ id: string }>('/api/themes', theme, { token: ben.token })
  await keeper.callApi('/api/kam/settings', { preferred_theme_id: id }, { token, method: 'PUT' })
  await page.goto('/root')
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'open-sea')
  await keeper.callApi(`/api/themes/${id}`, undefined, { token: ben.token, method: 'DELETE' })
  await page.reload()
  const notice = page.getByText('The theme you used is no longer available, so Keeper Classic is in use.')
  await expect(notice).toBeVisible()
  await page.reload()
  await expect(page.getByRole('button', { name: /^Domains: Owner/ })).toBeVisible()
  await expect(notice).toHaveCount(0)
})
