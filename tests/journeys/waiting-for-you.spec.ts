import type { Keeper } from '#contract/keepers/keepers.ts'
import { expectNoViolations } from './expect-no-violations.ts'
import { expect, registerAndSignIn, test } from './fixtures.ts'

const daysAgo = (days: number) => new Date(Date.now() - days * 24 * 60 * 60 * 1000).toISOString()

test('the root page lists what waits in every keeper until it is decided', async ({ page, keeper, watch }) => {
  watch.expectLine(/status of 500/)
  const { token } = await registerAndSignIn(page, keeper, 'ada', { path: '/root' })
  const callApi = <Data>(path: string, body: object) => keeper.callApi<Data>(path, body, { token })
  await expect(page.getByRole('heading', { name: 'Your keepers' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Create your first keeper' })).toBeVisible()
  await expect(page.getByText('Waiting for you'), 'nothing waits').toHaveCount(0)

  const createKeeper = async (title: string) =>
    (await callApi<Keeper>('/api/keeper/keepers', { title, purpose: 'p', keeperType: 'wellness' })).id
  const [harbour, garden] = [await createKeeper('The Harbour Year'), await createKeeper('Garden Log')]
  await callApi(`/api/keeper/keepers/${harbour}/echoes`, { message: 'Remember the frost.', triggerDate: daysAgo(1) })
  await callApi(`/api/keeper/keepers/${garden}/reflections`, { content: 'I stay.', createdAt: daysAgo(3) })
  await callApi(`/api/keeper/keepers/${garden}/sole/draft`, { statements: [{ text: 'I am the one who stays.' }] })

  const waiting = page.getByRole('region', { name: 'Waiting for you' })
  const line = (title: string) => waiting.getByRole('listitem').filter({ hasText: title })
  await expect(line('The Harbour Year').getByRole('link'), 'right away').toHaveText([/^1 echo is ready/])
  await expect(line('Garden Log').getByRole('link')).toHaveText([
    /^A SOLE draft to review/,
    /^1 reflection to keep or let rest/,
  ])
  await expect(waiting, 'no written text').not.toContainText('frost')
  await expect(page.getByRole('tab')).toHaveText(['Profile', 'Domain Settings', 'Personal API Keys'])
  await expectNoViolations(page, 'the waiting list')
  await page.setViewportSize({ width: 390, height: 844 })
  await expectNoViolations(page, 'the waiting list on a phone')
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)

  await line('Garden Log')
    .getByRole('link', { name: /^1 reflection/ })
    .click()
  await expect(page.getByRole('tab', { name: /Suggested Promotions/, selected: true })).toBeVisible()
  await page.goBack()
  await line('Garden Log')
    .getByRole('link', { name: /^A SOLE draft/ })
    .click()
  await expect(page.getByRole('region', { name: 'Pending draft' })).toBeVisible()
  await page.goBack()
  await line('The Harbour Year').getByRole('link').click()
  await page.getByRole('button', { name: 'Deliver' }).first().click()
  await page.goto('/root')
  await expect(line('Garden Log')).toBeVisible()
  await expect(line('The Harbour Year')).toHaveCount(0)

  const failing = '**/api/keeper/waiting'
  await page.route(failing, (route) => route.fulfill({ status: 500, json: { success: false } }))
  await page.reload()
  await expect(page.getByText('Items waiting for you couldn’t be loaded.')).toBeVisible()
  await expect(page.getByRole('link', { name: 'The Harbour Year' }), 'the keeper list is shown anyway').toBeVisible()
  await page.unroute(failing)
  await page.getByRole('button', { name: 'Retry' }).press('Enter')
  await expect(line('Garden Log')).toBeVisible()
  await expect(page.locator('main'), 'the focus stays when the button disappears').toBeFocused()
})
