import type { Locator, Page } from '@playwright/test'
import type { Agent } from '#contract/agents/agents.ts'
import { arrive, expect, test } from './fixtures.ts'

const name = (page: Page) => page.getByRole('textbox', { name: 'Name', exact: true })
const slug = (page: Page) => page.getByRole('textbox', { name: 'Slug', exact: true })
const purpose = (page: Page) => page.getByRole('textbox', { name: 'Purpose', exact: true })
const create = (page: Page) => page.getByRole('button', { name: 'Create Agent', exact: true })

test('the agent form creates a slug, repairs it and lists what is missing', async ({
  page,
  keeper,
  watch,
}) => {
  watch.expectLine(/status of 409/)
  await arrive(page, keeper, 'ada', { path: '/studio/agents' })
  await page.getByRole('button', { name: 'Create New Agent' }).click()
  await expect(create(page)).toBeDisabled()
  await expect(page.getByRole('heading', { name: 'Before you can create it' })).toBeVisible()
  await expect(page.getByRole('radio', { name: /^Persona/ })).toBeDisabled()
  await expect(page.getByRole('radio', { name: /^Persona.*coming soon/i })).toBeVisible()

  await name(page).fill('  Ébb & the --  Evening Round!')
  await expect(slug(page)).toHaveValue('ebb-the-evening-round')
  await slug(page).fill('Evening_Round')
  await slug(page).blur()
  await expect(slug(page)).toHaveAccessibleDescription(/Only lowercase letters, numbers and hyphens/)
  await expect(create(page), 'no purpose yet').toBeDisabled()
  await page.getByRole('button', { name: 'Use evening-round' }).click()
  await expect(slug(page)).toHaveValue('evening-round')
  await name(page).fill('Evening Round')
  await expect(slug(page), 'a custom slug stays').toHaveValue('evening-round')
  await expect(create(page)).toBeDisabled()
  await purpose(page).fill('Gathers the moments of a day.')
  await expect(create(page)).toBeEnabled()
  await slug(page).fill('library')
  await page.getByRole('spinbutton', { name: 'Max tokens' }).fill('0')
  let sent = 0
  page.on('request', (request) => request.method() === 'POST' && request.url().endsWith('/api/kip/agents') && sent++)
  await create(page).click()
  await expect(slug(page), 'the first of two invalid fields').toBeFocused()
  await expect(slug(page)).toHaveAccessibleDescription(/used by Keeper itself/)
  await expect(page.getByRole('spinbutton', { name: 'Max tokens' })).toHaveAccessibleDescription(
    'Use a number from 1 to 32000.',
  )
  expect(sent, 'nothing was sent').toBe(0)
  await page.getByRole('spinbutton', { name: 'Max tokens' }).fill('2000')
  await slug(page).fill('evening-round')
  await page.getByRole('combobox', { name: 'Tools' }).fill(' read_sole, ,list_moments ,')
  await create(page).click()

  await expect(page).toHaveURL(/\/studio\/agents$/)
  const card = page.getByRole('article').filter({ has: page.getByRole('link', { name: 'Evening Round' }) })
  await expect(card).toContainText('Standard')
  await expect(card).toContainText('user_input')
  await expect(card).toContainText('gpt-4o')
  await expect(card).toContainText('Gathers the moments of a day.')

  await page.getByRole('button', { name: 'Create New Agent' }).click()
  await name(page).fill('Evening Round')
  await purpose(page).fill('Takes the same slug.')
  const refused = page.waitForResponse((response) => response.status() === 409)
  await create(page).click()
  await refused
  await expect(page.getByText('This slug is taken. Choose another one.')).toBeVisible()
  await expect(purpose(page)).toHaveValue('Takes the same slug.')
})

test('a provider sets model defaults, and a Coordinator needs a bundle @at-length', async ({
  page,
  keeper,
}) => {
  await arrive(page, keeper, 'ada', { path: '/studio/agents' })
  await page.getByRole('button', { name: 'Create New Agent' }).click()
  const model = page.getByRole('combobox', { name: 'Model', exact: true })
  const maxTokens = page.getByRole('spinbutton', { name: 'Max tokens' })
  const temperature = page.getByRole('slider', { name: 'Temperature' })
  const topP = page.getByRole('slider', { name: 'Top P' })
  await expect(model).toHaveValue('gpt-6-luna')
  await expect(maxTokens).toHaveValue('2000')
  await expect(temperature).toHaveValue('0.7')
  await expect(topP).toHaveValue('1')
  await maxTokens.fill('1234')
  await page.getByRole('radio', { name: 'anthropic' }).check({ force: true })
  await expect(model).toHaveValue(/^claude/)
  await expect(maxTokens).toHaveValue('4000')
  await expect(topP).toHaveCount(0)
  await page.getByRole('radio', { name: 'elevenlabs' }).check({ force: true })
  await expect(model).toHaveValue('eleven_multilingual_v2')
  await expect(maxTokens).toHaveValue('1000')
  await expect(temperature).toHaveValue('0.5')
  await page.getByRole('radio', { name: 'openai' }).check({ force: true })
  await expect(maxTokens).toHaveValue('2000')
  await maxTokens.fill('32001')
  await maxTokens.blur()
  await expect(maxTokens).toHaveAttribute('aria-invalid', 'true')
  await maxTokens.fill('2000')

  await name(page).fill('Night Round')
  await purpose(page).fill('Asks the others.')
  await page.getByRole('radio', { name: /^Coordinator/ }).check({ force: true })
  await expect(maxTokens).toHaveValue('4000')
  await expect(temperature).toHaveValue('0.1')
  const bundle = page.getByRole('combobox', { name: 'Agent bundle' })
  await create(page).click()
  await expect(bundle).toBeFocused()
  await expect(bundle).toHaveAccessibleDescription('A Coordinator needs at least one agent in its bundle.')
  await bundle.fill('type-agent')
  await bundle.press('Enter')
  await expect(page.getByRole('button', { name: 'Remove type-agent' })).toBeVisible()
  await create(page).click()
  const card = page.getByRole('article').filter({ has: page.getByRole('link', { name: 'Night Round' }) })
  await expect(card).toContainText('Coordinator')
  await expect(card).toContainText('type-agent')
})

test('a typed draft survives a reload unsaved and can be discarded', async ({ page, keeper }) => {
  await arrive(page, keeper, 'ada', { path: '/studio/agents' })
  await page.getByRole('button', { name: 'Create New Agent' }).click()
  await name(page).fill('Half an Agent')
  await purpose(page).fill('Waits for the other half.')
  await page.reload()
  await expect(page.getByText('Your draft was restored. It isn’t saved yet.')).toBeVisible()
  await expect(name(page)).toHaveValue('Half an Agent')
  await expect(slug(page)).toHaveValue('half-an-agent')
  await expect(purpose(page)).toHaveValue('Waits for the other half.')
  await page.getByRole('button', { name: 'Discard' }).click()
  await expect(name(page)).toHaveValue('')
  await page.reload()
  await expect(name(page)).toHaveValue('')
  await page.getByRole('tab', { name: 'Registry' }).click()
  await expect(page.getByRole('link', { name: 'Kip', exact: true })).toBeVisible()
  await expect(page.getByText('Half an Agent')).toHaveCount(0)
})

test('restoring the saved text leaves nothing unsaved, even after reload @at-length', async ({ page, keeper }) => {
  const { token } = await arrive(page, keeper, 'ada')
  const body = { name: 'Harbour Guide', purpose: 'Knows.', model_settings: { temperature: 0.25 } }
  const agent = await keeper.ask<Agent>('/api/kip/agents', body, { token })
  await page.goto(`/studio/agents?tab=agent&agentId=${agent.id}`)
  const before = page.getByText('Your draft was restored.')
  const temperature = page.getByRole('slider', { name: 'Temperature' })
  await expect(temperature, 'unchanged between two steps').toHaveAttribute('aria-valuetext', '0.25')
  await purpose(page).fill('Knows the wind.')
  await purpose(page).fill('Knows.')
  await page.reload()
  await expect(purpose(page)).toHaveValue('Knows.')
  await expect(before).toHaveCount(0)

  await purpose(page).fill('Knows the tide.')
  await page.reload()
  await expect(before).toBeVisible()
  await expect(purpose(page)).toHaveValue('Knows the tide.')
  await purpose(page).fill('Knows.')
  await page.reload()
  await expect(purpose(page)).toHaveValue('Knows.')
  await expect(name(page)).toHaveValue('Harbour Guide')
  await expect(before).toHaveCount(0)
})

test('saving over a newer version shows both and asks', async ({ page, keeper, watch }) => {
  watch.expectLine(/status of 409/)
  const { token } = await arrive(page, keeper, 'ada')
  const body = { name: 'Two Hands', purpose: 'As it was.' }
  const agent = await keeper.ask<Agent>('/api/kip/agents', body, { token })
  await page.goto(`/studio/agents?tab=agent&agentId=${agent.id}`)
  await purpose(page).fill('As I want it.')
  const theirs = { id: agent.id, purpose: 'As they want it.' }
  await keeper.ask('/api/kip/agents', theirs, { token, method: 'PUT' })
  await page.getByRole('button', { name: 'Update Agent' }).click()
  const question = page.getByRole('dialog')
  await expect(question).toContainText('As I want it.')
  await expect(question).toContainText('As they want it.')
  const shown = () => keeper.ask<Agent>(`/api/kip/agents?id=${agent.id}`, undefined, { token })
  expect((await shown()).purpose, 'nothing is saved before the choice').toBe('As they want it.')
  await question.getByRole('button', { name: 'Keep mine' }).click()
  await expect(page).toHaveURL(/\/studio\/agents$/)
  expect((await shown()).purpose).toBe('As I want it.')
})

test("setting an agent to ready doesn't adopt another person's changes", async ({
  page,
  keeper,
  watch,
}) => {
  watch.expectLine(/status of 409/)
  const { token } = await arrive(page, keeper, 'ada')
  const body = { name: 'Evening Round', purpose: 'Gathers the day.' }
  const { id } = await keeper.ask<Agent>('/api/kip/agents', body, { token })
  const save = (changes: object) => keeper.ask<Agent>('/api/kip/agents', { id, ...changes }, { token, method: 'PUT' })
  await save({ status: 'error' })
  await page.goto(`/studio/agents?tab=agent&agentId=${id}`)
  await name(page).fill('Night Round')
  await save({ purpose: 'Gathers the night.' })
  await page.getByRole('button', { name: 'Set to ready' }).click()
  await expect(page.getByRole('button', { name: 'Set to ready' })).toHaveCount(0)
  await page.getByRole('button', { name: 'Update Agent' }).first().click()
  const question = page.getByRole('dialog', { name: 'Someone saved a newer version while you were editing' })
  await expect(question).toContainText('Gathers the night.')
  const [kept] = await keeper.ask<Agent[]>('/api/kip/agents', undefined, { token })
  expect(kept).toMatchObject({ name: 'Evening Round', purpose: 'Gathers the night.', status: 'ready' })
})

test('an agent can be created by keyboard alone @at-length', async ({ page, keeper }) => {
  await arrive(page, keeper, 'ada', { path: '/studio/agents' })
  await expect(page.getByRole('link', { name: 'Kip', exact: true })).toBeVisible()
  await tabTo(page, page.getByRole('button', { name: 'Create New Agent' }))
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/tab=agent/)
  await tabTo(page, name(page))
  await page.keyboard.type('Keyboard Keeper')
  await tabTo(page, page.getByRole('radio', { name: /^Standard/ }))
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowRight')
  await expect(page.getByRole('radio', { name: /^Lead/ })).toBeChecked()
  await tabTo(page, purpose(page))
  await page.keyboard.type('Proves that no mouse is needed.')
  await page.keyboard.press('Control+Enter')
  await expect(page).toHaveURL(/\/studio\/agents$/)
  await tabTo(page, page.getByRole('link', { name: 'Keyboard Keeper' }))
  await page.keyboard.press('r')
  await expect(page.getByText(/^Agent executed successfully in \d+ms$/)).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('link', { name: 'Keyboard Keeper' })).toBeFocused()
  await page.keyboard.press('e')
  await expect(name(page)).toHaveValue('Keyboard Keeper')
})

async function tabTo(page: Page, wanted: Locator) {
  for (let presses = 0; presses < 80; presses++) {
    if (await wanted.evaluate((element) => element === document.activeElement)) return
    await page.keyboard.press('Tab')
  }
  await expect(wanted, 'reached with Tab').toBeFocused()
}
