import type { Agent } from '#contract/agents/agents.ts'
import { expect, registerAndSignIn, test } from './fixtures.ts'

const proposal = {
  name: 'Weekly Mirror',
  slug: 'weekly-mirror',
  purpose: 'Reads the week and writes one reflection.',
  agent_class: 'Standard',
  context_scope: 'keeper',
  tools: ['list_moments', 'write_reflection'],
}
const type = { name: 'Harbour Walks', purpose: 'Keeps walks.', memoryPattern: 'journal', reason: 'They have dates.' }

test.use({
  providerBehavior: {
    answer: (prompt, { body }) => {
      const requestText = JSON.stringify(body)
      const createCall = (name: string, args: object) => ({ calls: [{ name, arguments: args }] })
      if (prompt.includes('reflection')) return createCall('propose_agent', proposal)
      if (requestText.includes('submit_keeper_type') && prompt.includes('walk'))
        return createCall('submit_keeper_type', type)
      return 'Look under Personal API Keys.'
    },
  },
})

test('a line becomes a proposed agent, created only by Create Agent', async ({ page, keeper }) => {
  const { token } = await registerAndSignIn(page, keeper, 'ada', { path: '/studio/kip' })
  const listSlugs = async () =>
    (await keeper.callApi<Agent[]>('/api/kip/agents', undefined, { token })).map((agent) => agent.slug)
  const agents = page.getByRole('region', { name: 'Agents', exact: true })
  await expect(agents.getByRole('article'), 'Leads are only in the list of chats').toHaveCount(3)
  await expect(page.getByRole('region', { name: 'Lead agents' }).getByRole('link')).toHaveCount(2)
  const line = page.getByRole('textbox', { name: 'What do you want?' })
  await line.fill('An agent that writes one reflection a week')
  await line.press('Enter')
  const card = page.getByRole('group', { name: 'Proposed agent: Weekly Mirror' })
  await expect(card).toContainText('Reads the week and writes one reflection.')
  await expect(card).toContainText('list_moments, write_reflection')
  await expect(card).toContainText('gpt-6-luna')
  await expect(page.getByRole('region', { name: 'Thoughts' })).toContainText('Platform Agent')
  await page.reload()
  await expect(card, 'the answer is back after a reload').toBeVisible()

  await card.getByRole('button', { name: 'Open the form' }).click()
  await expect(page.getByRole('textbox', { name: 'Name', exact: true })).toHaveValue('Weekly Mirror')
  await expect(page.getByText('Slug weekly-mirror')).toBeVisible()
  await page.getByRole('button', { name: 'Reach', exact: true }).click()
  await expect(page.getByRole('combobox', { name: 'Context scope' })).toHaveValue('keeper')
  await expect(page.getByRole('combobox', { name: 'Tools' })).toHaveValue('list_moments, write_reflection')
  expect(await listSlugs(), 'nothing is saved yet').not.toContain('weekly-mirror')

  await page.getByRole('textbox', { name: 'Purpose', exact: true }).fill('Reads the week. Says little.')
  await page.goto('/studio/kip')
  await card.getByRole('button', { name: 'Open the form' }).click()
  const question = page.getByRole('alertdialog')
  await expect(question, 'typed text is not overwritten without asking').toContainText('Replace your unsaved changes?')
  await question.getByRole('button', { name: 'Cancel' }).click()
  await page.goto('/studio/agents?tab=agent')
  await expect(page.getByRole('textbox', { name: 'Purpose', exact: true })).toHaveValue('Reads the week. Says little.')
  await page.getByRole('button', { name: 'Create Agent', exact: true }).click()
  await expect(page.getByText('Created Weekly Mirror.')).toBeVisible()
  expect(await listSlugs()).toContain('weekly-mirror')
})

test('a question gets no proposal, and a description becomes a keeper type @long', async ({ page, keeper }) => {
  const { token } = await registerAndSignIn(page, keeper, 'ada', { path: '/studio/kip' })
  await page.getByRole('textbox', { name: 'What do you want?' }).fill('Where are my keys?')
  await page.getByRole('button', { name: 'Ask' }).click()
  await expect(page.getByText('Look under Personal API Keys.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Open the form' })).toHaveCount(0)

  await page.getByRole('textbox', { name: 'Describe what you want to keep' }).fill('every walk along the harbour')
  await page.getByRole('button', { name: 'Propose a type' }).click()
  const typeRegion = page.getByRole('region', { name: 'Keeper type from a description' })
  await expect(typeRegion).toContainText('They have dates.')
  const listTypeNames = async () =>
    (await keeper.callApi<{ name: string }[]>('/api/keeper/keeper-types', undefined, { token })).map(({ name }) => name)
  expect(await listTypeNames()).not.toContain('Harbour Walks')
  await typeRegion.getByRole('button', { name: 'Create keeper type' }).click()
  await expect(typeRegion).toContainText('Created Harbour Walks.')
  expect(await listTypeNames()).toContain('Harbour Walks')
})

test('Stop works before the first word and reports a failure @long', async ({
  page,
  keeper,
  watch,
  modelProviders,
}) => {
  watch.expectLine(/ERR_FAILED/)
  await registerAndSignIn(page, keeper, 'ada', { path: '/studio/kip' })
  modelProviders.openai.script(['silent-mid'])
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  await page.route('**/api/kip/intent', async (route) => {
    await released
    await route.continue()
  })
  await page.route('**/api/kip/runs/*/stop', (route) => route.abort())
  await page.getByRole('textbox', { name: 'What do you want?' }).fill('Where are my keys?')
  await page.getByRole('button', { name: 'Ask' }).click()
  await page.getByRole('button', { name: 'Stop' }).click()
  release()
  await expect(page.getByText('The run couldn’t be stopped: The server couldn’t be reached.')).toBeVisible()
  await page.unroute('**/api/kip/runs/*/stop')
  await page.getByRole('button', { name: 'Stop' }).click()
  await expect(page.getByText('Stopped. The text so far is kept.')).toBeVisible()
  await expect.poll(() => modelProviders.openai.getInFlightCount()).toBe(0)
})

test('a typed line survives a missing server @long', async ({ page, keeper, watch }) => {
  watch.expectLine(/ERR_/)
  await registerAndSignIn(page, keeper, 'ada', { path: '/studio/kip' })
  await expect(page.getByRole('region', { name: 'Agents' }).getByRole('article').first()).toBeVisible()
  await page.context().setOffline(true)
  await page.getByRole('textbox', { name: 'What do you want?' }).fill('Where are my keys?')
  await page.getByRole('button', { name: 'Ask' }).click()
  await expect(page.getByRole('button', { name: 'Ask again' })).toBeVisible()
  await page.context().setOffline(false)
  await page.getByRole('button', { name: 'Ask again' }).click()
  await expect(page.getByText('Look under Personal API Keys.')).toBeVisible()
})
