import type { Agent } from '#contract/agents/agents.ts'
import { expect, registerAndSignIn, test } from './fixtures.ts'
import { getAgentCard } from './locators.ts'

test('an agent runs from its card only while it is ready', async ({ page, keeper, modelProviders, watch }) => {
  watch.expectLine(/status of 502/)
  const { token } = await registerAndSignIn(page, keeper, 'ada')
  const agent = await keeper.callApi<Agent>('/api/kip/agents', { name: 'Lamp Lighter', purpose: 'Lights.' }, { token })
  await page.goto('/studio/agents')
  const run = getAgentCard(page, 'Lamp Lighter').getByRole('button', { name: /^Run/ })
  await run.click()
  const input = page.getByRole('textbox', { name: 'Test input for Lamp Lighter' })
  await expect(input).toHaveAttribute('placeholder', 'Say in one or two sentences what you are for.')
  await page.keyboard.press('Enter')
  const outcome = page.getByRole('dialog').or(page.getByRole('alertdialog'))
  await expect(outcome).toContainText(/Agent executed successfully in \d+ms/)
  await expect(outcome, 'an empty line sends the placeholder').toContainText('Say in one or two sentences')
  await page.keyboard.press('Escape')
  await expect(outcome).toHaveCount(0)

  modelProviders.openai.script(['status-400'])
  await run.click()
  await input.fill('Is it dark?')
  await page.keyboard.press('Enter')
  await expect(outcome).toContainText('Agent execution failed')
  await expect(outcome).toContainText('Is it dark?')
  await page.keyboard.press('Escape')

  await keeper.callApi('/api/kip/agents', { id: agent.id, status: 'error' }, { token, method: 'PUT' })
  await page.getByRole('button', { name: 'Refresh' }).click()
  await expect(getAgentCard(page, 'Lamp Lighter').getByText('error', { exact: true })).toBeVisible()
  await expect(run).toBeDisabled()
  await expect(page.getByRole('link', { name: 'View Logs' })).toHaveAttribute('href', /\/logs$/)
})

test('agent 17 of 23 is found by three letters, as a card and in the list @long', async ({ page, keeper }) => {
  const { token } = await registerAndSignIn(page, keeper, 'ada')
  for (let count = 1; count <= 18; count++)
    await keeper.callApi<Agent>(
      '/api/kip/agents',
      count === 2
        ? { name: 'Quince Counter', purpose: 'Counts jars.' }
        : { name: `Lamp Lighter ${count}`, purpose: 'Lights lamps.' },
      { token },
    )
  await page.goto('/studio/agents')
  const cards = page.getByRole('main').getByRole('article')
  await expect(cards).toHaveCount(23)
  const search = page.getByRole('searchbox', { name: 'Search agents' })
  await search.fill('qui')
  await expect(cards).toHaveCount(1)
  await expect(getAgentCard(page, 'Quince Counter')).toBeVisible()
  await expect(page.getByText('1 of 23 agents match.')).toBeAttached()
  await search.fill('jar')
  await expect(getAgentCard(page, 'Quince Counter'), 'by its purpose').toBeVisible()
  await search.fill('zzz')
  await expect(cards).toHaveCount(0)
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await expect(cards).toHaveCount(23)
  await page.getByRole('group', { name: 'Class' }).getByRole('button', { name: 'Lead' }).click()
  await expect(cards).toHaveCount(2)
  await page.getByRole('group', { name: 'Class' }).getByRole('button', { name: 'All' }).click()
  await expect(page.getByRole('group', { name: 'Status' }), 'one status needs no filter').toHaveCount(0)

  await page.getByRole('radio', { name: 'List' }).check({ force: true })
  const row = getAgentCard(page, 'Quince Counter')
  await row.getByRole('button', { name: 'Run', exact: true }).click()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('alertdialog')).toContainText('Agent executed successfully')
  await page.keyboard.press('Escape')
  await expect(row).toContainText('Last run today')
  await page.reload()
  await expect(row, 'the layout is remembered').toContainText('Last run today')
  await row.getByRole('button', { name: 'More for Quince Counter' }).click()
  await page.getByRole('menuitem', { name: 'Put on a board' }).click()
  await expect(page).toHaveURL(/\/studio\/board-studio\?board=/)
  await expect(page.getByRole('main')).toContainText('Quince Counter')

  await page.goto('/studio/kip')
  await expect(page.getByRole('region', { name: 'Agents', exact: true }).getByRole('article')).toHaveCount(6)
  await page.getByRole('link', { name: 'All 23 agents' }).click()
  await expect(page).toHaveURL(/\/studio\/agents$/)
})

test("deleting an agent asks first, and built-in agents can't be deleted @long", async ({ page, keeper }) => {
  const { token } = await registerAndSignIn(page, keeper, 'ada')
  const agent = await keeper.callApi<Agent>('/api/kip/agents', { name: 'Lamp Lighter', purpose: 'Lights.' }, { token })
  await page.goto(`/studio/agents?agentId=${agent.id}`)
  await expect(getAgentCard(page, 'Kip').getByRole('button', { name: /^Delete/ })).toHaveCount(0)
  await page.getByRole('button', { name: 'More for Kip' }).click()
  const deleteKip = page.getByRole('menuitem', { name: /^Delete/ })
  await expect(deleteKip).toHaveAttribute('aria-disabled', 'true')
  await expect(deleteKip).toContainText('comes with Keeper')
  await page.keyboard.press('Escape')
  const deletedCard = getAgentCard(page, 'Lamp Lighter')
  await deletedCard.getByRole('button', { name: /^Delete/ }).click()
  const question = page.getByRole('alertdialog')
  await expect(question).toContainText(
    'Are you sure you want to delete Lamp Lighter? This action cannot be undone and will permanently remove the agent and all its data.',
  )
  await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(question).toHaveCount(0)
  await expect(deletedCard).toBeVisible()
  await deletedCard.getByRole('button', { name: /^Delete/ }).click()
  await question.getByRole('button', { name: 'Delete Agent' }).click()
  await expect(deletedCard).toHaveCount(0)
  await expect(page).toHaveURL(/\/studio\/agents$/)
  await page.getByRole('tab', { name: 'Keeper Types' }).click()
  await expect(page.getByText('No Agent Selected')).toBeVisible()
})

test('a private agent is invisible to others', async ({ page, keeper, anotherPage, watch }) => {
  watch.expectLine(/status of 404/)
  const { token } = await registerAndSignIn(page, keeper, 'ada')
  const body = { name: 'Secret Garden', purpose: 'Ours.', agent_class: 'Lead' }
  const agent = await keeper.callApi<Agent>('/api/kip/agents', body, { token })
  const benPage = await anotherPage()
  await registerAndSignIn(benPage, keeper, 'ben', { path: '/studio/agents' })
  await expect(getAgentCard(benPage, 'Kip')).toBeVisible()
  await expect(benPage.getByText('Secret Garden')).toHaveCount(0)
  await benPage.goto(`/studio/agents/${agent.id}`)
  await expect(benPage.getByText('Agent not found')).toBeVisible()
  await benPage.goto('/secret-garden')
  await expect(benPage.getByRole('heading', { name: 'Agent Not Found' })).toBeVisible()
  await page.goto('/secret-garden')
  await expect(page.getByRole('heading', { level: 1, name: 'Secret Garden' })).toBeVisible()
})

test('a failed agent list shows the error, or samples while offline @long', async ({ page, keeper, watch }) => {
  watch.expectLine(/status of 500|ERR_FAILED/)
  await registerAndSignIn(page, keeper, 'ada')
  const isListRequest = (url: URL) => url.pathname === '/api/kip/agents' && url.search === ''
  await page.route(isListRequest, (route) =>
    route.fulfill({ status: 500, json: { success: false, error: 'The shelf did not answer.' } }),
  )
  await page.goto('/studio/agents')
  await expect(page.getByText('Error loading agents: The shelf did not answer.')).toBeVisible()
  for (const tab of ['agent', 'keeper-types']) {
    await page.goto(`/studio/agents?tab=${tab}&agentId=kip`)
    await expect(page.getByText('Error loading agents: The shelf did not answer.'), tab).toBeVisible()
    await expect(page.getByText('No Agent Selected')).toHaveCount(0)
  }
  await page.unroute(isListRequest)
  await page.getByRole('button', { name: 'Retry' }).click()
  await expect(page.getByRole('heading', { name: 'Keeper types of Kip' })).toBeVisible()
  await page.getByRole('tab', { name: 'Registry' }).click()
  await expect(getAgentCard(page, 'Kip')).toBeVisible()

  await page.route(isListRequest, (route) => route.fulfill({ contentType: 'text/html', body: '<h1>A proxy</h1>' }))
  await page.reload()
  await expect(page.getByText('No agents found. Please check your database connection.')).toBeVisible()
  await page.unroute(isListRequest)

  await page.goto('/studio/agents?tab=agent&agentId=kip')
  const isRunRequest = (url: URL) => url.pathname === '/api/kip/agents'
  const form = page.getByRole('main')
  await page.route(isRunRequest, (route) => (route.request().method() === 'POST' ? route.abort() : route.fallback()))
  await form.getByRole('textbox', { name: 'Test input' }).fill('Are you there?')
  await form.getByRole('button', { name: 'Run', exact: true }).click()
  await expect(form).toContainText('This is a mock answer from Kip')
  await expect(form).toContainText('Mock answer')
  await expect(form).toContainText('The server can’t be reached.')
  await page.unroute(isRunRequest)
  await form.getByRole('button', { name: 'Try again' }).click()
  await expect(form.getByRole('link', { name: 'View run' })).toBeVisible()
  await expect(form).not.toContainText('The server can’t be reached.')
  await page.goto('/studio/agents')

  await page.route(isListRequest, (route) => route.abort())
  await page.reload()
  await expect(page.getByText(/offline, showing samples/i)).toBeVisible()
  for (const name of ['Type Agent', 'Platform Agent', 'Code Agent', 'Kip', 'CeoX'])
    await expect(getAgentCard(page, name)).toBeVisible()
  await expect(getAgentCard(page, 'Kip').getByRole('button', { name: /^Edit/ })).toBeDisabled()
  await getAgentCard(page, 'Kip').getByRole('button', { name: /^Run/ }).click()
  await page.keyboard.press('Enter')
  await expect(page.getByText(/mock/i).first()).toBeVisible()
})
