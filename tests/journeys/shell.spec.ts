import type { Page, Request, Route } from '@playwright/test'
import { expect, registerAndSignIn, test } from './fixtures.ts'

const getSidebar = (page: Page) => page.getByRole('complementary', { name: 'Sidebar' })
const getSidebarWidth = async (page: Page) => (await getSidebar(page).boundingBox())?.width
const getViewMode = (page: Page) => page.evaluate(() => JSON.parse(localStorage.getItem('keeper-view-mode') ?? 'null'))

test('the sidebar narrows, folds its sections and remembers both @long', async ({ page, keeper }) => {
  await registerAndSignIn(page, keeper, 'ada', { path: '/studio/agents' })
  await expect.poll(() => getSidebarWidth(page)).toBe(256)
  await expect(getSidebar(page)).toContainText('Ada Lindqvist')
  await expect(getSidebar(page)).toContainText('ada@willowbrook.example')
  const agents = getSidebar(page).getByRole('button', { name: 'Agents', exact: true })
  await agents.click()
  await expect(agents).toHaveAttribute('aria-expanded', 'false')
  await expect(getSidebar(page).getByRole('link', { name: 'Agent Classes' })).toBeHidden()
  await expect(getSidebar(page).getByRole('link', { name: 'Manage Keepers' }), 'the others stay').toBeVisible()
  await getSidebar(page).getByRole('button', { name: 'Collapse sidebar' }).click()
  await expect.poll(() => getSidebarWidth(page)).toBe(64)
  await page.reload()
  await expect.poll(() => getSidebarWidth(page)).toBe(64)
  await expect(getSidebar(page).getByRole('link', { name: 'Manage Keepers' })).toBeVisible()
  await getSidebar(page).getByRole('button', { name: 'Expand sidebar' }).click()
  await expect(agents).toHaveAttribute('aria-expanded', 'false')
})

test('the mode defaults to Architect and is stored with a timestamp @long', async ({ page, keeper }) => {
  await registerAndSignIn(page, keeper, 'ada', { path: '/root' })
  const getModeOption = (name: string) => getSidebar(page).getByRole('radio', { name, exact: true })
  await expect(getModeOption('Architect')).toBeChecked()
  const startedAt = Date.now()
  await getModeOption('My Keeper').check({ force: true })
  await expect(getSidebar(page).getByRole('link', { name: 'Moments' })).toBeVisible()
  const record = await getViewMode(page)
  expect(record).toEqual({ mode: 'MyKeeper', timestamp: expect.any(Number) })
  expect(record.timestamp).toBeGreaterThanOrEqual(startedAt)
  await page.reload()
  await expect(getModeOption('My Keeper')).toBeChecked()
  await page.keyboard.press('Alt+3')
  await expect(getModeOption('Admin')).toBeChecked()
  expect((await getViewMode(page)).mode).toBe('Admin')
  await page.addInitScript(() => {
    if (!localStorage.getItem('presses-at-first-sight')) return
    new MutationObserver((_, observer) => {
      if (!document.querySelector('input[value="Admin"]')) return
      observer.disconnect()
      document.body.dispatchEvent(
        new KeyboardEvent('keydown', { key: '2', code: 'Digit2', altKey: true, bubbles: true, cancelable: true }),
      )
    }).observe(document, { childList: true, subtree: true })
  })
  await page.evaluate(() => localStorage.setItem('presses-at-first-sight', 'yes'))
  await page.reload()
  await expect(getModeOption('My Keeper'), 'a key works once something is visible').toBeChecked()
  await page.evaluate(() => localStorage.removeItem('presses-at-first-sight'))
  await page.evaluate(() => localStorage.setItem('keeper-view-mode', '{"mode":'))
  await page.reload()
  await expect(getModeOption('Architect')).toBeChecked()
})

test('every link of the three modes leads to a titled page @long', async ({ page, keeper }) => {
  const links: Record<string, string[]> = {
    Architect: [
      '/studio/agents',
      '/studio/memory-patterns',
      '/studio/agent-classes',
      '/studio/board-studio',
      '/keeper/manage',
      '/keeper/types',
      '/keeper/engagement-templates',
      '/studio/themes',
      '/library',
    ],
    'My Keeper': [
      '/root',
      '/search',
      ...['dashboard', 'journeys', 'moments', 'topics', 'voice', 'logbook'].map((page) => `/keeper/1/${page}`),
    ],
    Admin: ['/root/profile', '/studio/kip/api-keys', '/studio/admin/logs', '/admin/domains', '/admin/roles'],
  }
  await registerAndSignIn(page, keeper, 'ada', { path: '/root' })
  for (const [mode, expected] of Object.entries(links)) {
    await getSidebar(page).getByRole('radio', { name: mode, exact: true }).check({ force: true })
    // Without the section of a visited page, above the line.
    const visible = getSidebar(page).locator('nav:not(:has(hr)) a, nav hr ~ * a')
    const addresses = await visible.evaluateAll((anchors) => anchors.map((anchor) => anchor.getAttribute('href') ?? ''))
    expect([...addresses].sort()).toEqual([...expected].sort())
    for (const address of addresses) {
      const link = getSidebar(page).locator(`a[href="${address}"]`).last()
      await link.click()
      await expect(page).toHaveURL(new RegExp(`${address}$`))
      await expect(link).toHaveAttribute('aria-current', 'page')
      const heading = page.getByRole('heading', { level: 1 })
      await expect(heading).toHaveCount(1)
      const name = await heading.evaluate((element) => (element.querySelector('[data-title]') ?? element).textContent)
      await expect.poll(() => page.title()).toMatch(/ · Keeper$/)
      expect((await page.title()).startsWith(`${name} · `), `${address} is titled by its heading`).toBe(true)
    }
  }
})

test('Ctrl+K opens a page by name, and back and forward work', async ({ page, keeper }) => {
  await registerAndSignIn(page, keeper, 'ada', { path: '/root' })
  const heading = page.getByRole('heading', { level: 1 })
  await expect(heading).toContainText('Root Dashboard')
  await page.keyboard.press('Control+k')
  const palette = page.getByRole('dialog', { name: 'Search or jump to' })
  await expect(palette.getByPlaceholder('Search or jump to')).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(palette).toHaveCount(0)
  await page.keyboard.press('Control+k')
  await page.keyboard.type('system logs')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/studio\/admin\/logs$/)
  await expect(palette).toHaveCount(0)
  await expect(heading).toHaveText('Agent Execution Logs')
  await page.goto('/studio')
  await expect(page).toHaveURL(/\/studio\/agents$/)
  await expect(heading).toHaveText('Manage Agents')
  await page.goto('/board-studio')
  await expect(page).toHaveURL(/\/studio\/board-studio$/)
  await page.goBack()
  await expect(heading).toHaveText('Manage Agents')
  await page.goBack()
  await expect(heading).toHaveText('Agent Execution Logs')
  await page.goBack()
  await expect(heading).toContainText('Root Dashboard')
  await page.goForward()
  await expect(heading).toHaveText('Agent Execution Logs')
})

test('a palette opened while a page loads stays open @long', async ({ page, keeper }) => {
  await registerAndSignIn(page, keeper, 'ada', { path: '/root' })
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  const gate = Promise.withResolvers<void>()
  await page.route(/assets\/manage-agents-page/, async (route) => {
    await gate.promise
    await route.continue()
  })
  await getSidebar(page).getByRole('link', { name: 'Manage Agents' }).click()
  await expect(page).toHaveURL(/\/studio\/agents$/)
  await page.keyboard.press('Control+k')
  const box = page.getByRole('combobox')
  await expect(box).toBeFocused()
  gate.resolve()
  await expect(page.locator('h1')).toHaveText('Manage Agents')
  await expect(box).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(box).toBeHidden()
  await page.goBack()
  await expect(page.locator('h1')).toContainText('Root Dashboard')
  await expect(box, 'dialogs closed by navigation do not return').toHaveCount(0)
})

test('the domain menu shows the primary domain, and DEBUG no secrets @long', async ({ page, keeper, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const { token } = await registerAndSignIn(page, keeper, 'ada', { path: '/studio/agents' })
  await page.getByRole('button', { name: /Owner\.ada-lindqvist/ }).click()
  const menu = page.getByRole('menu')
  await expect(menu.getByRole('menuitem', { name: /^Owner\.ada-lindqvist/ })).toContainText('Primary')
  await page.keyboard.press('Escape')
  await expect(menu).toBeHidden()
  await page.getByRole('button', { name: /Owner\.ada-lindqvist/ }).click()
  await menu.getByRole('menuitem', { name: 'Root Dashboard' }).click()
  await expect(page).toHaveURL(/\/root$/)

  await page.getByRole('button', { name: 'DEBUG' }).click()
  const modal = page.getByRole('dialog', { name: 'System information' })
  await expect(modal).toContainText('Architect')
  await expect(modal).toContainText('/root')
  await expect(modal).toContainText('/api/kam/auth/session')
  await modal.getByRole('button', { name: 'Copy' }).click()
  const copied = await page.evaluate(() => navigator.clipboard.readText())
  expect(copied).toContain('/api/kam/auth/session')
  for (const text of [copied, await modal.textContent()]) expect(text).not.toContain(token)
  await modal.getByRole('link', { name: 'Open diagnostics' }).click()
  await expect(page).toHaveURL(/\/debug$/)
  await expect(modal).toHaveCount(0)
  await page.goto('/root')
  await getSidebar(page).getByRole('link', { name: 'Debug Console' }).click()
  await expect(page).toHaveURL(/\/debug$/)
})

test('the phone menu is a drawer that traps and returns the focus', async ({ page, keeper }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await registerAndSignIn(page, keeper, 'ada', { path: '/root' })
  await expect(getSidebar(page)).toBeHidden()
  const opener = page.getByRole('button', { name: 'Menu', exact: true })
  await opener.click()
  const drawer = page.getByRole('dialog', { name: 'Menu' })
  await expect(drawer.getByRole('link', { name: 'Manage Agents' })).toBeVisible()
  for (let presses = 0; presses < 40; presses++) {
    await page.keyboard.press('Tab')
    expect(await drawer.evaluate((element) => element.contains(document.activeElement)), `Tab ${presses}`).toBe(true)
  }
  await page.keyboard.press('Escape')
  await expect(drawer).toHaveCount(0)
  await expect(opener).toBeFocused()
  await opener.click()
  await drawer.getByRole('link', { name: 'Manage Agents' }).click()
  await expect(drawer).toHaveCount(0)
  await expect(page.getByRole('heading', { level: 1, name: 'Manage Agents' })).toBeVisible()
})

test('a revisited tab shows changes made before its stream opened @long', async ({ page, keeper }) => {
  const { token } = await registerAndSignIn(page, keeper, 'ada', { path: '/root/domain' })
  const domains = page.getByRole('list', { name: 'Domains' })
  await expect(domains.getByRole('listitem')).toHaveCount(1)
  const setVisibility = (state: 'hidden' | 'visible') =>
    page.evaluate((now) => {
      Object.defineProperty(document, 'visibilityState', { value: now, configurable: true })
      document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))
    }, state)
  const streamClosed = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/api/events'))
  await setVisibility('hidden')
  await streamClosed

  const pendingRequests = new Set<Request>()
  page.on('request', (request) => pendingRequests.add(request))
  for (const event of ['requestfinished', 'requestfailed'] as const)
    page.on(event as 'requestfinished', (request) => pendingRequests.delete(request))
  await page.route('**/api/events', async (route) => {
    // The page has finished all reads that precede its event stream.
    await expect.poll(() => [...pendingRequests].filter((request) => request !== route.request())).toEqual([])
    const headers = { authorization: `Bearer ${token}` }
    await page.request.post('/api/domains', { headers, data: { name: 'Harbour letters' } })
    await route.continue()
  })
  await setVisibility('visible')
  await expect(domains.getByText('Harbour letters')).toBeVisible()
})

test('a new tab whose stream opens late shows what changed before', async ({ page, keeper }) => {
  // A page without a stream.
  const { token } = await registerAndSignIn(page, keeper, 'ada', { path: '/debug' })
  const domains = page.getByRole('list', { name: 'Domains' })
  const changeBeforeStream = async (route: Route) => {
    await expect(domains.getByRole('listitem')).toHaveCount(1)
    const headers = { authorization: `Bearer ${token}` }
    await page.request.post('/api/domains', { headers, data: { name: 'Harbour letters' } })
    await page.waitForTimeout(1000)
    await route.continue()
  }
  await page.route('**/api/events', changeBeforeStream, { times: 1 })
  await page.goto('/root/domain')
  await expect(domains.getByText('Harbour letters')).toBeVisible()
})

test.describe('with a service worker', () => {
  test.use({ serviceWorkers: 'allow' })

  test('a page under the service worker loads without preloading its scripts', async ({ page, keeper }) => {
    const countPreloads = () => page.locator('link[rel=modulepreload]').count()
    const heading = page.getByRole('heading', { level: 1 })
    await registerAndSignIn(page, keeper, 'ada', { path: '/root' })
    await expect(heading).toBeVisible()
    const html = await (await page.request.get('/root')).text()
    const documentPreloads = html.split('rel="modulepreload"').length - 1
    expect(documentPreloads).toBeGreaterThan(0)
    expect(await countPreloads(), 'of a first visit').toBeGreaterThan(documentPreloads + 10)
    await page.waitForFunction(() => navigator.serviceWorker.controller !== null, undefined, { timeout: 30_000 })
    await page.reload()
    await expect(heading).toBeVisible()
    await expect(page.getByRole('complementary', { name: 'Sidebar' })).toContainText('Ada Lindqvist')
    expect(await countPreloads()).toBe(documentPreloads)
  })
})
