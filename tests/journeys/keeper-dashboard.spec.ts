import type { Agent } from '#contract/agents/agents.ts'
import type { Dashboard } from '#contract/keepers/dashboard.ts'
import type { Keeper } from '#contract/keepers/keepers.ts'
import type { Moment } from '#contract/keepers/moments.ts'
import { expectNoViolations } from './expect-no-violations.ts'
import { expect, registerAndSignIn, test } from './fixtures.ts'

const dayMs = 24 * 60 * 60 * 1000
const getDaysAgo = (days: number) => new Date(Date.now() - days * dayMs).toISOString()
const getYearsAgo = (years: number) => {
  const now = new Date()
  return new Date(Date.UTC(now.getUTCFullYear() - years, now.getUTCMonth(), now.getUTCDate(), 12)).toISOString()
}

test.use({ timezoneId: 'UTC' })

test("the dashboard shows today's moments, what waits and all sections", async ({ page, keeper, watch }) => {
  const { token } = await registerAndSignIn(page, keeper, 'ada')
  const keeperInput = { title: 'The Harbour Year', purpose: 'p', keeperType: 'wellness' }
  const { id } = await keeper.callApi<Keeper>('/api/keeper/keepers', keeperInput, { token })
  const createEntry = (collection: string, body: object) =>
    keeper.callApi(`/api/keeper/keepers/${id}/${collection}`, body, { token })
  await createEntry('moments', { body: 'Yesterday’s frost.', occurredAt: getDaysAgo(1), topics: ['Mornings'] })
  await createEntry('moments', { body: 'The desk at the north window.', occurredAt: getYearsAgo(2) })
  await createEntry('reflections', { topic: 'On staying', content: 'I stay.', createdAt: getDaysAgo(3) })
  await createEntry('echoes', { message: 'Remember the frost.', triggerDate: getDaysAgo(1) })
  await createEntry('voice-entries', { label: 'Sea', belief: 'The tide forgives.' })
  await createEntry('logbook-entries', { entry: 'Sailed alone.', label: 'Boat', category: 'Sea' })
  await createEntry('sole/draft', { statements: [{ text: 'I am the one who stays.' }] })

  await page.goto('/keeper/1/dashboard')
  await expect(page.getByText('Remember the frost.')).toBeVisible()
  await expect(page.getByRole('region', { name: 'On this day' })).toContainText('The desk at the north window.')
  await expect(page.getByRole('region', { name: 'On this day' })).toContainText('2 years ago')
  await expect(page.getByText('Pending SOLE Draft')).toBeVisible()
  await expectNoViolations(page, 'the dashboard')
  const navigation = page.getByRole('navigation', { name: 'Pages of this keeper' })
  for (const pageName of ['Moments', 'Journeys'])
    await expect(navigation.getByRole('link', { name: pageName })).toHaveAttribute(
      'href',
      `/keeper/${id}/${pageName.toLowerCase()}`,
    )

  const composer = page.getByRole('form', { name: 'New moment' })
  const day = new Date().toISOString().slice(0, 10)
  const { today } = await keeper.callApi<Dashboard>(`/api/keeper/keepers/${id}/dashboard?date=${day}`, undefined, {
    token,
  })
  const box = composer.getByRole('textbox', { name: 'What is worth keeping from today?' })
  await expect(box, 'the question of the day').toHaveAttribute('placeholder', today.prompt)
  await page.keyboard.press('c')
  await page.keyboard.type('The ferry was late.')
  await page.keyboard.press('Control+Enter')
  await expect(page.getByRole('region', { name: 'Today' })).toContainText('The ferry was late.')
  await expect(composer.getByRole('textbox').first()).toHaveValue('')
  const momentsPath = `/api/keeper/keepers/${id}/moments`
  const { items } = await keeper.callApi<{ items: Moment[] }>(momentsPath, undefined, { token })
  expect(items.find(({ body }) => body === 'The ferry was late.')?.promptId).toBe(today.promptId)

  const suggested = page.getByRole('region', { name: 'Suggested promotions' })
  await expect(suggested).toContainText('On staying')
  await suggested.getByRole('button', { name: 'Keep' }).click()
  await expect(suggested.getByText('Kept as a memory card')).toBeVisible()

  await page.getByRole('button', { name: 'Deliver' }).click()
  await expect(page.getByText('Delivered')).toBeVisible()

  await page.getByRole('region', { name: 'On this day' }).getByRole('button', { name: 'Hide' }).click()
  await page.reload()
  await expect(page.getByRole('button', { name: 'Show On this day' })).toBeVisible()

  watch.expectLine(/ERR_FAILED|Failed to fetch/)
  await page.route('**/agents/*/keeper-types/*', (route) => route.abort(), { times: 1 })
  await page.getByRole('button', { name: 'Make an agent for this keeper' }).click()
  await expect(
    page.getByRole('region', { name: 'Ask an agent that knows this keeper' }).getByRole('alert'),
  ).toBeVisible()
  await page.getByRole('button', { name: 'Make an agent for this keeper' }).click()
  await expect(page).toHaveURL(/\/studio\/agents\//)
  await expect(page.getByText('The Harbour Year companion').first()).toBeVisible()
  const agents = await keeper.callApi<Agent[]>('/api/kip/agents', undefined, { token })
  expect(agents.filter(({ name }) => name === 'The Harbour Year companion')).toHaveLength(1)
  await page.goBack()
  const agentsRegion = page.getByRole('region', { name: 'Ask an agent that knows this keeper' })
  await expect(agentsRegion.getByRole('button', { name: 'Make another agent' })).toBeVisible()
  await agentsRegion.getByRole('link', { name: 'Ask The Harbour Year companion' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toContainText('The Harbour Year companion')

  for (const [path, name, text] of [
    ['topics', 'Topics', 'Mornings'],
    ['voice', 'Voice Panel', 'The tide forgives.'],
    ['logbook', 'Logbook', 'Boat'],
  ] as const) {
    await page.goto(`/keeper/1/${path}`)
    const section = page.locator(`#${path}`)
    await expect(section, name).toContainText(text)
    await expect(section).toBeInViewport()
  }
})

test('the sample dashboard is shown even without a keeper @long', async ({ page, keeper }) => {
  await registerAndSignIn(page, keeper, 'ben')
  await page.goto('/keeper/demo/dashboard')
  await expect(page.getByText('First frost on the rope ladder.')).toBeVisible()
  await page.setViewportSize({ width: 390, height: 844 })
  await expectNoViolations(page, 'the sample on a phone')
})

test.describe('in a time zone with another date than UTC', () => {
  test.use({ timezoneId: new Date().getUTCHours() < 10 ? 'Pacific/Pago_Pago' : 'Pacific/Kiritimati' })

  test("the keeper's ribbon marks the writer's local day @long", async ({ page, keeper }) => {
    const { token } = await registerAndSignIn(page, keeper, 'ada')
    const keeperInput = { title: 'The Harbour Year', purpose: 'p', keeperType: 'wellness' }
    const { id } = await keeper.callApi<Keeper>('/api/keeper/keepers', keeperInput, { token })
    await keeper.callApi(`/api/keeper/keepers/${id}/moments`, { body: 'The ferry was late.' }, { token })
    await page.goto('/keeper/1/dashboard')
    await expect(page.getByText('The ferry was late.')).toBeVisible()
    await expect(page.getByRole('main').locator('header path[fill="var(--k-ribbon)"]')).toHaveCount(1)
  })
})
