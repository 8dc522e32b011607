import type { Page } from '@playwright/test'
import type { ChatSession } from '#contract/agents/chat.ts'
import type { Keeper } from '#contract/keepers/keepers.ts'
import { expectNoViolations } from './expect-no-violations.ts'
import { expect, registerAndSignIn, test } from './fixtures.ts'

test.use({ permissions: ['clipboard-read', 'clipboard-write'] })

const canaries = {
  moment: 'canary-of-a-moment: the harbour was quiet',
  key: 'sk-canary0personal0openai0Zq81',
}
const newKeeper = { title: 'Mine', purpose: 'p', keeperType: 'Journal', keeperTypeId: 'system-journal' }
const runAllLabel = 'Run all checks and copy report'

interface Report {
  user: { id: string; token: string } | null
  summary: { total: number; passed: number; failed: number; skipped: number; tolerated: number; overallStatus: string }
  tests: { id: string; outcome: string; told: string; detail: Record<string, unknown> }[]
  criticalError?: string
  consoleErrors: { text: string }[]
  networkRequests: { address: string }[]
}

async function runAll(page: Page): Promise<void> {
  await page.getByRole('button', { name: runAllLabel }).click()
}

async function readCopiedReport(page: Page): Promise<Report & { text: string }> {
  await expect(page.getByText('Report copied', { exact: true })).toBeVisible({ timeout: 20_000 })
  const text = await page.evaluate(() => navigator.clipboard.readText())
  return { ...(JSON.parse(text) as Report), text }
}

const getRow = (page: Page, name: string | RegExp) =>
  page.getByRole('list', { name: 'Checks' }).getByRole('button', { name })

/** Excludes the copy for screen readers. */
const findVisibleText = (page: Page, text: string | RegExp) =>
  page.locator('p:not([role="status"])').filter({ hasText: text })

/** Records console.error and fetch. The returned function says whether they are restored. */
async function recordOriginals(page: Page): Promise<() => Promise<boolean>> {
  await page.evaluate(() => Object.assign(window, { originals: [console.error, window.fetch] }))
  return () =>
    page.evaluate(() => {
      const { originals } = window as unknown as { originals: unknown[] }
      return console.error === originals[0] && window.fetch === originals[1]
    })
}

test('a visitor runs the public checks and sees which need sign-in @long', async ({ page }) => {
  const requestedPaths: string[] = []
  page.on('request', (request) => requestedPaths.push(new URL(request.url()).pathname))
  await page.goto('/debug')
  await expect(page.getByText('Sign in for the other')).toBeVisible()
  await runAll(page)
  const report = await readCopiedReport(page)
  expect(report.user).toBeNull()
  expect(report.summary).toMatchObject({ total: 7, passed: 7, failed: 0, overallStatus: 'ALL_PASS' })
  await expect(findVisibleText(page, 'All 7 checks a visitor can run passed. 17 need sign-in.')).toBeVisible()
  await expect(page.getByText('7 checks counted, 17 optional or skipped.', { exact: true })).toBeVisible()
  await expect(getRow(page, /Skipped:\s*Database/)).toBeVisible()
  await getRow(page, /Database/).click()
  await expect(page.getByText('needs sign-in', { exact: true }).filter({ visible: true })).toHaveCount(17)
  await expect(page.getByText('To run repairs, sign in with an account that has permission.')).toBeVisible()
  expect(requestedPaths.filter((path) => path.startsWith('/api/') && path !== '/api/themes')).toEqual([])
  // The confirmation stays for 5 seconds.
  await expect(page.getByText('Report copied', { exact: true })).toHaveCount(0, { timeout: 7_000 })

  await page.getByRole('button', { name: 'Clear results' }).click()
  await expect(page.getByRole('list', { name: 'Checks' })).toHaveCount(0)
})

test('an administrator passes all checks twice, and the report holds no secret @long', async ({ page, keeper }) => {
  const { token } = await registerAndSignIn(page, keeper, 'cleo', { isSuperAdmin: true })
  const [existingKeeper] = await keeper.callApi<Keeper[]>('/api/keeper/keepers', undefined, { token })
  const keeperId = existingKeeper?.id ?? (await keeper.callApi<Keeper>('/api/keeper/keepers', newKeeper, { token })).id
  await keeper.callApi(`/api/keeper/keepers/${keeperId}/moments`, { body: canaries.moment }, { token })
  await keeper.callApi('/api/kip/user-keys', { provider: 'openai', apiKey: canaries.key }, { token })
  await page.goto('/debug')
  const areRestored = await recordOriginals(page)
  await runAll(page)
  const first = await readCopiedReport(page)
  expect(first.tests.filter(({ outcome }) => outcome !== 'passed')).toEqual([])
  expect(first.summary).toMatchObject({ total: 24, passed: 24, overallStatus: 'ALL_PASS', skipped: 0, tolerated: 0 })
  expect(first.user).toMatchObject({ token: 'present' })
  expect(first.networkRequests.map(({ address }) => address)).toContain('/api/debug/uuid-test')
  await runAll(page)
  await expect(page.getByText('Report copied', { exact: true })).toHaveCount(0)
  const second = await readCopiedReport(page)
  expect(second.summary.overallStatus).toBe('ALL_PASS')
  const pageText = (await page.locator('main').textContent()) ?? ''
  for (const text of [first.text, second.text, pageText])
    for (const secret of [token, 'canary', 'harbour was quiet']) expect(text).not.toContain(secret)
  await expect.poll(areRestored, { message: 'restored after a second' }).toBe(true)
  const { sessions } = await keeper.callApi<{ sessions: ChatSession[] }>('/api/kip/agents?sessions=true', undefined, {
    token,
  })
  expect(sessions).toEqual([])
})

test('without permissions, refused checks are skipped with their reason @long', async ({ page, keeper }) => {
  await registerAndSignIn(page, keeper, 'ben', { path: '/debug' })
  await expect(page.getByText('Repairs need the permission system_configuration.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Fix database' })).toHaveCount(0)
  await runAll(page)
  const report = await readCopiedReport(page)
  expect(report.summary).toMatchObject({ failed: 0, skipped: 2, overallStatus: 'ALL_PASS' })
  const skippedChecks = report.tests.filter(({ outcome }) => outcome === 'skipped')
  expect(skippedChecks.map(({ id, told: reason }) => [id, reason])).toEqual([
    ['platform-keys', 'needs the permission manage_api_keys'],
    ['platform-key-stats', 'needs the permission manage_api_keys'],
  ])
})

test('with a refusing provider the chat fails and other checks pass @long', async ({
  page,
  keeper,
  modelProviders,
  watch,
}) => {
  watch.expectLine(/status of 502/)
  await registerAndSignIn(page, keeper, 'ada', { path: '/debug' })
  modelProviders.openai.script(Array.from({ length: 6 }, () => 'status-401'))
  await runAll(page)
  const report = await readCopiedReport(page)
  expect(report.summary).toMatchObject({ failed: 1, tolerated: 1, overallStatus: 'PARTIAL_PASS' })
  await expect(
    findVisibleText(page, 'One check needs attention: Chat with kip. 1 optional provider test didn’t work.'),
  ).toBeVisible()
  await expect(getRow(page, /Failed:\s*Chat with kip/)).toHaveAttribute('aria-expanded', 'true')
  await expect(page.getByText('"code": "key-rejected"').filter({ visible: true })).toHaveCount(1)
  await expect(page.getByText('What to do: Check the provider tests below')).toBeVisible()
  await expect(getRow(page, /Optional, didn’t work:\s*OpenAI test/)).toBeVisible()
  await getRow(page, /OpenAI test/).click()
  const keysLink = page.getByRole('link', { name: 'Personal API Keys' })
  await expect(keysLink).toHaveAttribute('href', '/root/api-keys')
  await expectNoViolations(page, '/debug with a failure')
})

test('a server lost during the checks is a critical error @long', async ({ page, keeper, watch }) => {
  watch.expectLine(/Failed to load resource: net::ERR/)
  await registerAndSignIn(page, keeper, 'ada', { path: '/debug' })
  await page.route('**/api/test', async (route) => {
    await keeper.stop()
    await route.continue()
  })
  await runAll(page)
  const report = await readCopiedReport(page)
  const box = page.getByRole('alert').filter({ hasText: 'Critical Error' })
  await expect(box).toContainText('The server isn’t answering. Is it running, and is this the right address?')
  expect(report.criticalError).toContain('The server isn’t answering.')
  expect(report.summary.overallStatus).toBe('PARTIAL_PASS')
  expect(report.summary.failed, 'one cause, one failure').toBe(1)
  await expect(findVisibleText(page, 'One check needs attention: API.')).toBeVisible()
})

test('a server lost from the start is one failure, and repairs are disabled @long', async ({ page, keeper, watch }) => {
  watch.expectLine(/Failed to load resource: net::ERR/)
  await registerAndSignIn(page, keeper, 'cleo', { path: '/debug', isSuperAdmin: true })
  await expect(page.getByRole('button', { name: 'Fix database' })).toBeEnabled()
  await keeper.stop()
  await runAll(page)
  const report = await readCopiedReport(page)
  expect(report.summary).toMatchObject({ failed: 1, skipped: 21, overallStatus: 'PARTIAL_PASS' })
  const message = 'The server isn’t answering. Is it running, and is this the right address?'
  await expect(page.getByText(message, { exact: true })).toHaveCount(1)
  await expect(findVisibleText(page, 'No server check passed. One check needs attention: Ping.')).toBeVisible()
  await expect(page.getByText('What to do:').filter({ visible: true })).toHaveCount(0)
  for (const name of ['Fix database', 'Fix Kip provider'])
    await expect(page.getByRole('button', { name })).toBeDisabled()
  await expect(page.getByText('Repairs run on the server, which isn’t answering.')).toBeVisible()
})

test('a refused clipboard is reported, and the report can be copied by hand @long', async ({ page }) => {
  await page.addInitScript(() => {
    navigator.clipboard.writeText = () => Promise.reject(new DOMException('refused', 'NotAllowedError'))
  })
  await page.goto('/debug')
  await runAll(page)
  await expect(page.getByRole('alert').filter({ hasText: 'Failed to copy to clipboard' })).toBeVisible()
  const box = page.getByLabel('Report to copy by hand')
  expect(JSON.parse(await box.inputValue())).toMatchObject({ platform: 'Keeper', summary: { total: 7 } })
  await page.getByRole('button', { name: 'Copy report', exact: true }).click()
  await expect(box).toBeVisible()
})

test('the report has console output without secrets @long', async ({ page, keeper, watch }) => {
  watch.expectLine(/The lamp is broken/)
  const { token } = await registerAndSignIn(page, keeper, 'ada', { path: '/debug' })
  const areRestored = await recordOriginals(page)
  await page.route('**/api/test', async (route) => {
    await page.evaluate((secret) => console.error(`The lamp is broken: Bearer ${secret}`, { diary: 'private' }), token)
    await route.continue()
  })
  await runAll(page)
  const report = await readCopiedReport(page)
  expect(report.consoleErrors.map(({ text }) => text)).toEqual(['The lamp is broken: [removed] [Object]'])
  expect(report.text).not.toContain(token)
  await expect.poll(areRestored).toBe(true)
})

test('stopping or leaving a check run restores everything @long', async ({ page, keeper }) => {
  await registerAndSignIn(page, keeper, 'ada', { path: '/debug' })
  const areRestored = await recordOriginals(page)
  await page.route('**/api/test', () => undefined)
  await runAll(page)
  await expect(page.getByText('API…', { exact: true })).toBeVisible()
  expect(await areRestored()).toBe(false)
  await page.getByRole('button', { name: 'Stop', exact: true }).click()
  await expect(findVisibleText(page, 'Stopped after 8 of 24 checks; 8 passed.')).toBeVisible()
  await expect(page.getByText('Report copied', { exact: true })).toHaveCount(0)
  await page.getByRole('button', { name: 'Copy report', exact: true }).click()
  expect((await readCopiedReport(page)).text).toContain('"stopped": true')

  await runAll(page)
  await expect(page.getByText('API…', { exact: true })).toBeVisible()
  await page.getByRole('link', { name: 'Root Dashboard' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Root Dashboard' })).toBeVisible()
  expect(await areRestored()).toBe(true)
})

test('stopping while Kip answers leaves no chat behind @long', async ({ page, keeper }) => {
  const { token } = await registerAndSignIn(page, keeper, 'ada', { path: '/debug' })
  await page.route('**/api/kip/agents', (route) =>
    route.request().postData()?.includes('"action":"run"') ? undefined : route.continue(),
  )
  await runAll(page)
  await expect(page.getByText('Chat with kip…', { exact: true })).toBeVisible()
  const listSessions = async () =>
    (await keeper.callApi<{ sessions: ChatSession[] }>('/api/kip/agents?sessions=true', undefined, { token })).sessions
  await expect.poll(async () => (await listSessions()).length).toBe(1)
  await page.getByRole('button', { name: 'Stop', exact: true }).click()
  await expect(findVisibleText(page, /Stopped after \d+ of 24 checks; \d+ passed\./)).toBeVisible()
  expect(await listSessions()).toEqual([])
})

test('an administrator repairs agents and database after confirming @long', async ({ page, keeper }) => {
  const { token } = await registerAndSignIn(page, keeper, 'cleo', { path: '/debug', isSuperAdmin: true })
  const changes = { id: 'built-in-kip', model_provider: 'together' }
  await keeper.callApi('/api/kip/agents', changes, { token, method: 'PUT' })
  await page.getByRole('button', { name: 'Fix Kip provider' }).click()
  const dialog = page.getByRole('alertdialog', { name: 'Fix Kip’s provider?' })
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByText(/Kip: together/)).toHaveCount(0)
  await page.getByRole('button', { name: 'Fix Kip provider' }).click()
  await dialog.getByRole('button', { name: 'Fix Kip provider' }).click()
  await expect(page.getByText('Kip: changed from together openai/gpt-oss-120b to openai gpt-6-luna.')).toBeVisible()
  await page.getByRole('button', { name: 'Fix database' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Fix database' }).click()
  await expect(page.getByText('No migration was pending.')).toBeVisible()
  await expect(page.getByText(/Checked \d+ tables: no damage found\./)).toBeVisible()
  await page.goto('/admin/audit')
  await expect(page.getByText('Repaired the database').filter({ visible: true }).first()).toBeVisible()
})

test('on a phone, checks run by keyboard without WCAG violations @long', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/debug')
  await page.getByRole('button', { name: runAllLabel }).focus()
  await page.keyboard.press('Enter')
  await readCopiedReport(page)
  await expect(page.getByRole('status').filter({ hasText: 'All 7 checks a visitor can run passed.' })).toHaveCount(1)
  await getRow(page, /Ping/).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByText('The server process answers.')).toBeVisible()
  await expectNoViolations(page, '/debug on a phone')
  await page.setViewportSize({ width: 320, height: 640 })
  const measureOverflow = () => document.documentElement.scrollWidth - document.documentElement.clientWidth
  expect(await page.evaluate(measureOverflow)).toBe(0)
  const header = await page.getByRole('banner').boundingBox()
  expect(header?.height, 'one line').toBeLessThan(64)
  const name = page.getByRole('link', { name: 'Keeper', exact: true })
  expect(await name.evaluate((link) => link.scrollWidth - link.clientWidth), 'the name is not cut off').toBe(0)
})
