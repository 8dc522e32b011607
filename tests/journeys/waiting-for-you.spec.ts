import type { Domain } from '#contract/domains/domains.ts'
import type { Echo } from '#contract/keepers/echoes.ts'
import type { Keeper } from '#contract/keepers/keepers.ts'
import type { Reflection } from '#contract/keepers/reflections.ts'
import type { WaitingSummary } from '#contract/keepers/waiting.ts'
import { expectNoViolations } from './expect-no-violations.ts'
import { expect, registerAndSignIn, registerPerson, test } from './fixtures.ts'

const getDaysAgo = (days: number) => new Date(Date.now() - days * 24 * 60 * 60 * 1000).toISOString()

test('what waits in every keeper is decided on the home page', async ({ page, keeper, watch }) => {
  watch.expectLine(/status of 500/)
  const { token } = await registerAndSignIn(page, keeper, 'ada', { path: '/root' })
  const callApi = <Data>(path: string, body?: object) => keeper.callApi<Data>(path, body, { token })
  await expect(page.getByRole('heading', { name: 'Your keepers' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Create your first keeper' })).toBeVisible()
  await expect(page.getByText('Waiting for you'), 'nothing waits').toHaveCount(0)

  const createKeeper = async (title: string) =>
    (await callApi<Keeper>('/api/keeper/keepers', { title, purpose: 'p', keeperType: 'wellness' })).id
  const [harbourId, gardenId] = [await createKeeper('The Harbour Year'), await createKeeper('Garden Log')]
  const createEcho = (message: string, days: number) =>
    callApi<Echo>(`/api/keeper/keepers/${harbourId}/echoes`, { message, triggerDate: getDaysAgo(days) })
  await createEcho('Remember the frost.', 2)
  const createReflection = (topic: string, days: number) =>
    callApi<Reflection>(`/api/keeper/keepers/${gardenId}/reflections`, {
      topic,
      content: topic,
      createdAt: getDaysAgo(days),
    })
  await createReflection('I stay.', 4)
  await createReflection('I leave.', 3)
  await createReflection('I return.', 2)
  await callApi(`/api/keeper/keepers/${gardenId}/sole/draft`, { statements: [{ text: 'I am the one who stays.' }] })

  const waitingRegion = page.getByRole('region', { name: 'Waiting for you' })
  const rows = waitingRegion.locator(':scope > ul > li')
  const getRow = (text: string | RegExp) => rows.filter({ hasText: text })
  const [echoRow, draftRow, reflectionRow] = [
    getRow('The Harbour Year'),
    getRow('A SOLE draft to review'),
    getRow('Garden Log').filter({ hasNotText: 'SOLE draft' }),
  ]
  await expect(rows, 'right away').toHaveCount(3)
  await expect(echoRow.getByRole('link')).toHaveText('1 echo is ready in The Harbour Year')
  await expect(reflectionRow.getByRole('link').first()).toHaveText('3 reflections to keep or let rest in Garden Log')
  await expect(echoRow.getByRole('button', { name: 'Deliver' })).toBeVisible()
  await expect(echoRow, 'an echo is not read before it is delivered').not.toContainText('frost')
  await expect(page.getByRole('tab')).toHaveText(['Profile', 'Domain Settings', 'Personal API Keys'])
  await expectNoViolations(page, 'the waiting list')
  await page.setViewportSize({ width: 390, height: 844 })
  await expectNoViolations(page, 'the waiting list on a phone')
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  await page.setViewportSize({ width: 1440, height: 900 })

  const deliverUrl = '**/api/keeper/echoes/*/deliver'
  await page.route(deliverUrl, (route) => route.fulfill({ status: 500, json: { success: false } }))
  await echoRow.getByRole('button', { name: 'Deliver' }).click()
  await expect(echoRow).toContainText('Failed to deliver echo')
  await expect(echoRow).not.toContainText('frost')
  await page.unroute(deliverUrl)
  await echoRow.getByRole('button', { name: 'Deliver' }).press('Enter')
  await expect(echoRow, 'its text stays in place').toContainText('Remember the frost.')
  await expect(echoRow.getByText('Delivered', { exact: true })).toBeVisible()
  await expect(echoRow.getByRole('button', { name: 'Deliver' })).toHaveCount(0)
  await expect(echoRow.getByRole('list', { name: 'Delivered' }).getByRole('listitem')).toBeFocused()

  await reflectionRow.getByRole('button', { name: 'Keep', exact: true }).press('Enter')
  await expect(reflectionRow.getByRole('list', { name: 'Kept' })).toContainText('I stay.')
  await expect(reflectionRow.getByRole('link').first()).toHaveText('2 reflections to keep or let rest in Garden Log')
  await expect(reflectionRow.getByRole('link', { name: 'I leave.' }), 'a second Enter keeps nothing').toBeFocused()
  await reflectionRow.getByRole('button', { name: 'Let it rest' }).click()
  await expect(reflectionRow.getByRole('link', { name: 'I return.' })).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(reflectionRow.getByRole('link', { name: 'I leave.' }), 'resting is undone').toBeVisible()
  await expect(reflectionRow.getByRole('link').first()).toHaveText('2 reflections to keep or let rest in Garden Log')
  expect(page.url(), 'no decision leaves the page').toMatch(/\/root$/)
  const summary = await callApi<WaitingSummary>('/api/keeper/waiting')
  expect(summary.keepers).toMatchObject([{ keeperId: gardenId, echoesReady: 0, suggestions: 2 }])

  await draftRow.getByRole('link', { name: 'Review the SOLE draft in Garden Log' }).click()
  await expect(page.getByRole('region', { name: 'Pending draft' })).toBeVisible()
  await page.goBack()
  await reflectionRow.getByRole('link', { name: /^2 reflections/ }).click()
  await expect(page.getByRole('tab', { name: /Suggested Promotions/, selected: true })).toBeVisible()
  await page.goto('/root')
  await expect(draftRow).toBeVisible()
  await expect(echoRow, 'a delivered echo is gone on the next visit').toHaveCount(0)

  const waitingUrl = '**/api/keeper/waiting'
  await page.route(waitingUrl, (route) => route.fulfill({ status: 500, json: { success: false } }))
  await page.reload()
  await expect(page.getByText('Items waiting for you couldn’t be loaded.')).toBeVisible()
  await expect(page.getByRole('link', { name: 'The Harbour Year' }), 'the keeper list is shown anyway').toBeVisible()
  await page.unroute(waitingUrl)
  await page.getByRole('button', { name: 'Retry' }).press('Enter')
  await expect(draftRow).toBeVisible()
  await expect(page.locator('main'), 'the focus stays when the button disappears').toBeFocused()
})

test('many waiting items show four, then more on request @long', async ({ page, keeper }) => {
  const { token } = await registerAndSignIn(page, keeper, 'ada')
  for (let number = 1; number <= 6; number++) {
    const body = { title: `Keeper ${number}`, purpose: 'p', keeperType: 'journal' }
    const { id } = await keeper.callApi<Keeper>('/api/keeper/keepers', body, { token })
    const echo = { message: 'Back.', triggerDate: getDaysAgo(1) }
    await keeper.callApi(`/api/keeper/keepers/${id}/echoes`, echo, { token })
  }
  await page.goto('/root')
  const rows = page.getByRole('region', { name: 'Waiting for you' }).getByRole('button', { name: 'Deliver' })
  await expect(rows).toHaveCount(4)
  await page.getByRole('button', { name: 'Show 2 more' }).click()
  await expect(rows).toHaveCount(6)
})

test('a person added to a domain joins or leaves it from the home page @long', async ({ page, keeper }) => {
  const ben = await registerPerson(keeper, 'ben')
  const { user } = await registerAndSignIn(page, keeper, 'ada')
  const { id } = await keeper.callApi<Domain>('/api/domains', { name: 'Quay Choir' }, { token: ben.token })
  await keeper.callApi(`/api/domains/${id}/members`, { userId: user.id, role: 'friend' }, { token: ben.token })
  await page.goto('/root')
  const row = page
    .getByRole('region', { name: 'Waiting for you' })
    .getByRole('listitem')
    .filter({ hasText: 'Quay Choir' })
  await row.getByRole('button', { name: 'Answer for Quay Choir' }).click()
  await expect(row, 'it says what joining means').toContainText('Until you join')
  await row.getByRole('button', { name: 'Join' }).click()
  await expect(page.getByText('You joined Quay Choir.')).toBeVisible()
  await expect(row).toHaveCount(0)
})
