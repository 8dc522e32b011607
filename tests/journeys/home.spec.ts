import type { Page } from '@playwright/test'
import type { Domain } from '#contract/domains/domains.ts'
import type { Keeper } from '#contract/keepers/keepers.ts'
import type { Moment } from '#contract/keepers/moments.ts'
import type { BuiltKeeper } from './built-keeper.ts'
import { expectNoViolations } from './expect-no-violations.ts'
import { expect, registerAndSignIn, test } from './fixtures.ts'

const getBox = (page: Page) => page.getByRole('textbox', { name: 'What is worth keeping from today?' })
const getChooser = (page: Page) => page.getByRole('combobox', { name: 'Write in' })
const getAccount = (page: Page) => page.getByRole('region', { name: 'Your account' })

async function createKeeper(keeper: BuiltKeeper, token: string, title: string): Promise<string> {
  const { id } = await keeper.callApi<Keeper>(
    '/api/keeper/keepers',
    { title, purpose: 'p', keeperType: 'journal' },
    { token },
  )
  return id
}

async function listMoments(keeper: BuiltKeeper, token: string, id: string): Promise<string[]> {
  const path = `/api/keeper/keepers/${id}/moments`
  const { items } = await keeper.callApi<{ items: Moment[] }>(path, undefined, { token })
  return items.map(({ body }) => body)
}

async function typeImmediately(page: Page, text: string): Promise<void> {
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.keyboard.type(text)
  await expect(getBox(page)).toHaveValue(text)
  await page.keyboard.press('Control+Enter')
  await expect(page.getByText('Saved.', { exact: true })).toBeVisible()
  await expect(getBox(page)).toHaveValue('')
}

test('text typed right after opening home is saved in the last used keeper', async ({ page, keeper }) => {
  const { token } = await registerAndSignIn(page, keeper, 'ada')
  const harbour = await createKeeper(keeper, token, 'The Harbour Year')
  const garden = await createKeeper(keeper, token, 'Garden Log')
  await page.goto('/root')
  await typeImmediately(page, 'great frost, 5 degrees below.')
  expect(await listMoments(keeper, token, garden), 'the newest keeper is used first').toEqual([
    'great frost, 5 degrees below.',
  ])
  expect(await listMoments(keeper, token, harbour)).toEqual([])
  await expect(page.getByRole('region', { name: 'Your keepers' })).toContainText('great frost, 5 degrees below.')

  await getChooser(page).selectOption('The Harbour Year')
  await expect(page).toHaveURL(/\/root$/)
  await page.reload()
  await expect(getChooser(page)).toHaveValue(harbour)
  await typeImmediately(page, 'The ferry was late.')
  expect(await listMoments(keeper, token, harbour)).toEqual(['The ferry was late.'])
  expect(await listMoments(keeper, token, garden)).toHaveLength(1)

  await page.keyboard.type('Not finished')
  await getChooser(page).selectOption('Garden Log')
  await expect(getBox(page), 'a draft belongs to its keeper').toHaveValue('')
  await expect(page.getByRole('status').filter({ hasText: 'Your draft stays in The Harbour Year.' })).toBeVisible()
  await page.getByRole('button', { name: 'Go back to it' }).click()
  await expect(getBox(page)).toHaveValue('Not finished')
  await page.reload()
  await expect(getBox(page)).toHaveValue('Not finished')
  expect(await listMoments(keeper, token, harbour), 'no draft is saved').toHaveLength(1)
})

test('the sample keeper is not offered for writing @long', async ({ page, keeper }) => {
  const { token, user } = await registerAndSignIn(page, keeper, 'ada')
  await keeper.callApi('/api/keeper/sample', {}, { token })
  await page.goto('/root')
  await expect(page.getByText('Your moment starts a keeper called “My keeper”.')).toBeVisible()
  await expect(getBox(page)).toBeFocused()
  await page.keyboard.type('Mine.')
  await page.keyboard.press('Control+Enter')
  await expect(page.getByText('Saved in My keeper.')).toBeVisible()
  await expect(page.getByText('You’re writing in My keeper')).toBeVisible()
  expect(await listMoments(keeper, token, `sample-${user.id}`)).not.toContain('Mine.')
})

test('the URL of an account tab scrolls to it, and Back restores the position @long', async ({ page, keeper }) => {
  const { token } = await registerAndSignIn(page, keeper, 'ada')
  for (const title of ['The Harbour Year', 'Garden Log', 'The Winter House']) await createKeeper(keeper, token, title)
  await page.goto('/root/profile')
  await expect(getAccount(page)).toBeFocused()
  await expect(getAccount(page).getByRole('heading', { name: 'Your account' })).toBeInViewport()
  await expect(getAccount(page).getByLabel('Name', { exact: true })).toBeInViewport()
  await expect(getBox(page), 'the box stays unfocused').not.toBeFocused()
  await expect(page).toHaveTitle('Root Dashboard · Profile · Keeper')

  await page.goto('/root?tab=api-keys')
  await expect(getAccount(page)).toBeFocused()
  await expect(page.getByRole('heading', { name: 'Your API Keys' })).toBeInViewport()

  await page.goto('/root')
  await expect(getBox(page)).toBeFocused()
  await expect(page).toHaveTitle('Root Dashboard · Keeper')
  const tab = page.getByRole('tab', { name: 'Domain Settings' })
  await tab.focus()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/root\/domain$/)
  await expect(tab, 'a tab keeps the focus').toBeFocused()
  await expect(page.getByRole('button', { name: 'New domain' })).toBeInViewport()
  await page.goBack()
  await expect(page).toHaveURL(/\/root$/)
  await expect(page.getByRole('tab', { name: 'Profile', selected: true })).toBeInViewport()
  await expect(tab, 'the page stays where it was left').toBeInViewport()
})

test('an administrator sees domains that need DNS, and the platform’s pages @long', async ({ page, keeper }) => {
  const { token } = await registerAndSignIn(page, keeper, 'cleo', { isSuperAdmin: true })
  const { id } = await keeper.callApi<Domain>('/api/domains', { name: 'Quay Choir' }, { token })
  const options = { token, method: 'PUT' }
  await keeper.callApi(`/api/domains/${id}`, { customDomain: 'choir.example.org' }, options)
  await page.goto('/root')
  const waitingRegion = page.getByRole('region', { name: 'Waiting for you' })
  await expect(waitingRegion.getByRole('link', { name: '1 domain needs DNS in Quay Choir' })).toHaveAttribute(
    'href',
    '/admin/domains',
  )
  const links = page.getByRole('navigation', { name: 'You run this platform' }).getByRole('link')
  await expect(links).toHaveText(['Platform users', 'Platform roles', 'Domains', 'Audit log'])
  await expectNoViolations(page, 'the home page of an administrator')
})

test('a person without platform roles sees no administration links @long', async ({ page, keeper }) => {
  await registerAndSignIn(page, keeper, 'ada', { path: '/root' })
  await expect(page.getByRole('tab', { name: 'Profile' })).toBeVisible()
  await expect(page.getByText('You run this platform')).toHaveCount(0)
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })

  test('the first screen shows the box, three keepers and due items @long', async ({ page, keeper }) => {
    const { token } = await registerAndSignIn(page, keeper, 'ada')
    await keeper.callApi('/api/kam/first-run', { dismissed: true }, { token, method: 'PUT' })
    const ids: string[] = []
    for (const title of ['The Harbour Year', 'Garden Log', 'The Winter House']) {
      ids.push(await createKeeper(keeper, token, title))
      if (ids.length === 1) {
        const echo = { message: 'Back.', triggerDate: '2026-01-05' }
        await keeper.callApi(`/api/keeper/keepers/${ids[0]}/echoes`, echo, { token })
      }
      await page.goto('/root')
      const tiles = page.getByRole('list', { name: 'Your keepers' }).getByRole('listitem')
      await expect(tiles).toHaveCount(ids.length)
      const deliver = page.getByRole('button', { name: 'Deliver' })
      for (const element of [getBox(page), tiles.last(), deliver]) await expect(element).toBeInViewport({ ratio: 1 })
      await expect(getBox(page), 'no keyboard covers the page').not.toBeFocused()
    }
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
  })

  test('the page has its height before anyone scrolls @long', async ({ page, keeper }) => {
    await registerAndSignIn(page, keeper, 'ada', { path: '/root' })
    await expect(page.getByLabel('New password')).toBeAttached()
    const getHeight = () => page.evaluate(() => document.documentElement.scrollHeight)
    const height = await getHeight()
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight))
    await expect(page.getByRole('heading', { name: 'Delete my account' })).toBeVisible()
    // Longer than the height stays reserved.
    await page.waitForTimeout(3500)
    expect(Math.abs((await getHeight()) - height)).toBeLessThan(100)
  })
})

test('late responses cause no layout shift on the home page', async ({ page, keeper }) => {
  const { token } = await registerAndSignIn(page, keeper, 'ada')
  const id = await createKeeper(keeper, token, 'The Harbour Year')
  await keeper.callApi(
    `/api/keeper/keepers/${id}/reflections`,
    { content: 'I stay.', createdAt: '2026-01-05T08:00:00Z' },
    { token },
  )
  await keeper.callApi(`/api/keeper/keepers/${id}/echoes`, { message: 'Back.', triggerDate: '2026-01-05' }, { token })
  await page.addInitScript(() => {
    const shift = { total: 0 }
    Object.assign(window, { layoutShift: shift })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & { value: number; hadRecentInput: boolean })[])
        if (!entry.hadRecentInput) shift.total += entry.value
    }).observe({ type: 'layout-shift', buffered: true })
  })
  await page.route('**/api/**', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 900))
    await route.continue().catch(() => {})
  })
  for (const size of [
    { width: 1440, height: 900 },
    { width: 390, height: 844 },
  ]) {
    await page.setViewportSize(size)
    await page.goto('/root')
    await expect(page.getByRole('button', { name: 'Keep', exact: true })).toBeVisible()
    await expect(page.getByRole('button', { name: 'Deliver' })).toBeVisible()
    await expect(page.getByLabel('Name', { exact: true })).toBeAttached()
    const total = await page.evaluate(() => (window as unknown as { layoutShift: { total: number } }).layoutShift.total)
    expect(total, `at ${size.width} px`).toBeLessThanOrEqual(0.05)
  }
  await page.unrouteAll({ behavior: 'ignoreErrors' })
})

test('a page left open over midnight shows the new day', async ({ page, keeper }) => {
  await registerAndSignIn(page, keeper, 'ada', { path: '/root' })
  const heading = page.getByRole('heading', { level: 1 })
  const lastMinute = new Date()
  lastMinute.setHours(23, 59, 30, 0)
  await page.clock.install({ time: lastMinute })
  await page.goto('/root')
  const formatWeekday = (date: Date) => date.toLocaleDateString('en-US', { weekday: 'long' })
  await expect(heading).toContainText(formatWeekday(lastMinute))
  await page.clock.runFor(60_000)
  await expect(heading).toContainText(formatWeekday(new Date(lastMinute.getTime() + 60_000)))
})
