import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import type { Agent } from '#contract/agents/agents.ts'
import type { BuiltKeeper } from './built-keeper.ts'
import { expect, registerAndSignIn, test } from './fixtures.ts'

const longInput = `The harbour is quiet tonight. ${'The lamp is on in the kitchen again. '.repeat(6)}The end of it.`

/** Opens the page of Ada's agent while it is answering. */
async function startTideTableRun(page: Page, keeper: BuiltKeeper) {
  const { token } = await registerAndSignIn(page, keeper, 'ada')
  const body = { name: 'Tide Table', purpose: 'Knows the tide.' }
  const agent = await keeper.callApi<Agent>('/api/kip/agents', body, { token })
  await page.goto(`/studio/agents/${agent.slug}`)
  await page.getByLabel('Test input').fill('When is high water?')
  await page.getByRole('button', { name: 'Run', exact: true }).first().click()
  return { agent, token }
}

test('forty-five runs are paged, filtered, opened and shown with their failure @long', async ({
  page,
  keeper,
  modelProviders,
}) => {
  const { token } = await registerAndSignIn(page, keeper, 'ada')
  const createAgent = (name: string) =>
    keeper.callApi<Agent>('/api/kip/agents', { name, purpose: 'Answers.' }, { token })
  const [round, lamp] = [await createAgent('Evening Round'), await createAgent('Lamp Lighter')]
  const runAgent = (agent: Agent, input: string) =>
    keeper.callApi<{ run_id: string }>('/api/kip/agents', { action: 'run', agentId: agent.id, input }, { token })
  const first = await runAgent(lamp, longInput)
  for (let count = 2; count <= 44; count++) await runAgent(round, `Run number ${count}`)
  modelProviders.openai.script(['status-400'])
  await runAgent(lamp, 'The one that fails').catch(() => undefined)

  await page.goto('/studio/kip/logs')
  const rows = page.getByRole('list', { name: 'Runs' }).getByRole('listitem')
  const previous = page.getByRole('button', { name: 'Previous', exact: true })
  const next = page.getByRole('button', { name: 'Next', exact: true })
  await expect(page.getByText('Page 1 of 3')).toBeVisible()
  await expect(rows).toHaveCount(20)
  await expect(previous).toBeDisabled()
  await expect(rows.first()).toContainText('The one that fails')
  await expect(rows.first()).toHaveAttribute('data-status', 'error')
  await next.click()
  await expect(page.getByText('Page 2 of 3')).toBeVisible()
  await expect(rows.first()).toContainText('Run number 25')
  await next.click()
  await expect(page.getByText('Page 3 of 3')).toBeVisible()
  await expect(rows).toHaveCount(5)
  await expect(next).toBeDisabled()

  const oldest = rows.last()
  await expect(oldest).toContainText(longInput.slice(0, 100))
  await expect(oldest).not.toContainText('The end of it.')
  await expect(oldest).toContainText(/\d ms/)
  await expect(oldest).toContainText('gpt-6-luna')
  await oldest.getByRole('button', { name: 'Expand' }).click()
  await expect(oldest).toContainText('The end of it.')
  await expect(oldest).toContainText('Ada Lindqvist')
  await expect(oldest).toContainText('"')
  await oldest.getByRole('button', { name: 'Collapse' }).click()
  await expect(oldest).not.toContainText('The end of it.')
  await previous.click()
  await expect(page.getByText('Page 2 of 3')).toBeVisible()
  await page.goBack()
  await expect(page.getByText('Page 3 of 3')).toBeVisible()

  await page.getByLabel('Filter by agent').selectOption({ label: 'Lamp Lighter (lamp-lighter)' })
  await expect(rows).toHaveCount(2)
  await expect(page.getByText(/^Page \d/)).toHaveCount(0)
  await rows.first().getByRole('button', { name: 'Expand' }).click()
  await expect(rows.first().getByText('Error', { exact: true })).toBeVisible()
  await page.reload()
  await expect(rows).toHaveCount(2)
  await page.getByLabel('Filter by agent').selectOption({ label: 'All Agents' })
  await expect(rows).toHaveCount(20)

  await page.goto(`/studio/kip/logs?run=${first.run_id}`)
  const detail = page.getByRole('main')
  await expect(detail.getByRole('heading', { level: 2, name: 'Lamp Lighter' })).toBeVisible()
  await detail.getByRole('tab', { name: 'Input' }).click()
  await expect(detail.getByRole('tabpanel')).toContainText('The end of it.')
  await page.setViewportSize({ width: 390, height: 844 })
  await expect(detail.getByRole('heading', { level: 2, name: 'Lamp Lighter' })).toBeVisible()
  await page.getByRole('link', { name: 'All runs' }).click()
  await expect(rows).toHaveCount(20)
})

test("a person without runs sees no one else's @long", async ({ page, keeper, anotherPage, watch }) => {
  watch.expectLine(/status of 40[34]/)
  const { token } = await registerAndSignIn(page, keeper, 'ada')
  const agent = await keeper.callApi<Agent>('/api/kip/agents', { name: 'Ours', purpose: 'Answers.' }, { token })
  const run = { action: 'run', agentId: agent.id, input: 'A private line' }
  const { run_id } = await keeper.callApi<{ run_id: string }>('/api/kip/agents', run, { token })
  const benPage = await anotherPage()
  await registerAndSignIn(benPage, keeper, 'ben', { path: '/studio/admin/logs' })
  await expect(benPage.getByText('No logs found. Execute some agents to see logs here.')).toBeVisible()
  await benPage.goto(`/studio/admin/logs?run=${run_id}`)
  await expect(benPage.getByText(/^Error loading logs: /)).toBeVisible()
  await expect(benPage.getByText('A private line')).toHaveCount(0)
})

test('logs that fail to load say so and can be retried @long', async ({ page, keeper, watch }) => {
  watch.expectLine(/status of 500/)
  await page.route('**/api/kip/agents?logs=true*', (route) =>
    route.fulfill({ status: 500, json: { success: false, error: 'The shelf did not answer.' } }),
  )
  await registerAndSignIn(page, keeper, 'ada', { path: '/studio/kip/logs' })
  await expect(page.getByText('Error loading logs: The shelf did not answer.')).toBeVisible()
  await page.unroute('**/api/kip/agents?logs=true*')
  await page.getByRole('button', { name: 'Retry' }).click()
  await expect(page.getByText('No logs found. Execute some agents to see logs here.')).toBeVisible()

  const isAgentsRequest = (url: URL) => url.pathname === '/api/kip/agents'
  await page.route(isAgentsRequest, (route) =>
    route.fulfill({ status: 500, json: { success: false, error: 'The shelf fell over.' } }),
  )
  await page.getByRole('button', { name: 'Refresh' }).click()
  const failed = page.getByRole('alert').filter({ hasText: 'Error loading logs: The shelf fell over.' })
  await expect(failed, 'above the existing list').toBeVisible()
  await expect(page.getByText('No logs found. Execute some agents to see logs here.')).toBeVisible()
  await page.unroute(isAgentsRequest)
  await failed.getByRole('button', { name: 'Retry' }).press('Enter')
  await expect(failed).toHaveCount(0)
  await expect(page.locator('main'), 'the focus stays when the button disappears').toBeFocused()

  const isAgentListRequest = (url: URL) => url.pathname === '/api/kip/agents' && url.search === ''
  await page.route(isAgentListRequest, (route) => route.fulfill({ status: 500, json: { success: false } }))
  await page.reload()
  await expect(page.getByText('Failed to load agents. Refresh to try again.')).toBeVisible()
  await page.unroute(isAgentListRequest)
  await page.getByRole('button', { name: 'Refresh' }).click()
  await expect(page.getByText('Failed to load agents. Refresh to try again.')).toHaveCount(0)
  await expect(page.getByRole('combobox', { name: 'Filter by agent' })).toContainText('Kip (kip)')
})

test('log filters are in the URL, survive a reload and apply to the export @long', async ({
  page,
  keeper,
  modelProviders,
}) => {
  const { token } = await registerAndSignIn(page, keeper, 'ada')
  const createAgent = (name: string, model_provider: string) =>
    keeper.callApi<Agent>('/api/kip/agents', { name, purpose: 'Answers.', model_provider }, { token })
  const [round, lamp] = [await createAgent('Evening Round', 'openai'), await createAgent('Lamp Lighter', 'anthropic')]
  const runAgent = (agent: Agent, input: string) =>
    keeper.callApi('/api/kip/agents', { action: 'run', agentId: agent.id, input }, { token })
  for (let count = 1; count <= 21; count++) await runAgent(round, `Run number ${count}`)
  await runAgent(lamp, 'The harbour lamp')
  modelProviders.openai.script(['status-400'])
  await runAgent(round, 'The harbour bell').catch(() => undefined)

  await page.goto('/studio/kip/logs?page=99')
  const rows = page.getByRole('list', { name: 'Runs' }).getByRole('listitem')
  await expect(page.getByText('Page 2 of 2')).toBeVisible()
  await expect(page).toHaveURL(/page=2$/)
  await expect(rows).toHaveCount(3)

  // Keyboard only from here on.
  await page.getByRole('searchbox', { name: 'Search the logs' }).focus()
  await page.keyboard.type('HARBOUR')
  await expect(rows).toHaveCount(2)
  await expect(page).toHaveURL(/\?q=HARBOUR$/)
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await expect(page.getByLabel('Status')).toBeFocused()
  // A select treats several slow keystrokes as separate choices.
  await page.keyboard.press('e')
  await expect(rows).toHaveCount(1)
  await expect(rows).toContainText('The harbour bell')
  await page.reload()
  await expect(rows).toHaveCount(1)
  await expect(page.getByRole('searchbox', { name: 'Search the logs' })).toHaveValue('HARBOUR')
  await page.getByLabel('Provider').focus()
  await page.keyboard.press('A')
  await expect(page.getByText('No runs match these filters.')).toBeVisible()
  await page.goBack()
  await expect(rows).toHaveCount(1)
  await page.getByRole('button', { name: 'Export CSV' }).focus()
  const [file] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')])
  const csv = await readFile(await file.path(), 'utf8')
  expect(csv).toContain('The harbour bell')
  expect(csv).not.toContain('The harbour lamp')
  await expect(page.getByText('The file holds 1 run.')).toBeVisible()
  await page.getByRole('button', { name: 'Clear filters' }).focus()
  await page.keyboard.press('Enter')
  await expect(rows).toHaveCount(20)
  await expect(page.getByRole('searchbox', { name: 'Search the logs' })).toHaveValue('')
})

test('invalid dates are refused with a way out @long', async ({ page, keeper, watch }) => {
  watch.expectLine(/status of 400/)
  await registerAndSignIn(page, keeper, 'ada', { path: '/studio/kip/logs?from=yesterday' })
  await expect(page.getByText(/^Error loading logs: Use a date like/)).toBeVisible()
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await expect(page.getByText('No logs found. Execute some agents to see logs here.')).toBeVisible()
})

test.describe('while a model is slow', () => {
  const answerText = 'The tide comes in. '.repeat(12)
  test.use({ providerBehavior: { wordDelayMs: 90, answer: () => answerText } })

  test('a run shows its steps live, is stopped, and is rerun next to the original', async ({
    page,
    keeper,
    modelProviders,
  }) => {
    const { agent, token } = await startTideTableRun(page, keeper)
    await page.getByRole('link', { name: 'View run' }).click()

    const steps = page.getByRole('tree', { name: 'Steps of the run' })
    await expect(steps.getByRole('treeitem')).toHaveCount(2)
    const root = steps.getByRole('treeitem').first()
    const initialText = await root.textContent()
    await expect(root, 'its timer continues').not.toHaveText(initialText ?? '')
    await expect(page.getByRole('main').getByText('The tide comes in.', { exact: false }).first()).toBeVisible()
    await root.focus()
    await page.keyboard.press('ArrowDown')
    await expect(steps.getByRole('treeitem').nth(1)).toBeFocused()
    await page.getByRole('button', { name: 'Stop' }).focus()
    await page.keyboard.press('Enter')
    await expect(page.getByText('Stopped. The text so far is kept.')).toBeVisible()

    await page.getByRole('button', { name: 'Run again with changes' }).click()
    const panel = page.getByRole('dialog', { name: 'Run again with changes' })
    await expect(panel.getByLabel('Input')).toHaveValue('When is high water?')
    await expect(panel.getByLabel('Purpose')).toHaveValue('Knows the tide.')
    await panel.getByLabel('Max tokens').fill('0')
    await panel.getByRole('button', { name: 'Run and compare' }).click()
    await expect(panel.getByText('Use a number from 1 to 32000.')).toBeVisible()
    await panel.getByLabel('Purpose').fill('Knows the tide in rhyme.')
    await page.keyboard.press('Escape')
    await expect(panel).toHaveCount(0)
    await page.getByRole('button', { name: 'Run again with changes' }).click()
    await expect(panel.getByLabel('Purpose'), 'the typed text is there').toHaveValue('Knows the tide in rhyme.')
    await panel.getByLabel('Max tokens').fill('55')
    await panel.getByRole('button', { name: 'Run and compare' }).click()
    await expect(page).toHaveURL(/run=\w+&with=\w+/)
    await expect.poll(() => modelProviders.openai.requests.at(-1)?.body).toMatchObject({ max_completion_tokens: 55 })
    expect(JSON.stringify(modelProviders.openai.requests.at(-1)?.body)).toContain('in rhyme')

    const getComparisonRow = (name: string) => page.getByRole('row', { name: new RegExp(`^${name}`) })
    await expect(getComparisonRow('max_tokens')).toHaveText(/2000\s*55/)
    await expect(getComparisonRow('temperature')).toHaveAttribute('data-differs', 'false')
    await expect(getComparisonRow('purpose')).toContainText('in rhyme')
    await expect(page.getByRole('tree')).toHaveCount(2)
    await expect(page.getByText('success', { exact: true }).first()).toBeVisible({ timeout: 15_000 })
    await expect(page.getByRole('region', { name: 'Answer from the second run' }).locator('ins').first()).toBeVisible()
    await page.reload()
    await expect(getComparisonRow('max_tokens')).toHaveText(/2000\s*55/)
    await page.setViewportSize({ width: 390, height: 844 })
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
    await page.getByRole('link', { name: 'All runs' }).click()
    await expect(
      page
        .getByRole('button', { name: 'Compare with another run' })
        .or(page.getByRole('link', { name: 'Compare with another run' })),
    ).toBeVisible()
    const savedAgent = await keeper.callApi<Agent>(`/api/kip/agents?id=${agent.id}`, undefined, { token })
    expect(savedAgent, 'nothing was saved').toMatchObject({ purpose: 'Knows the tide.', rev: agent.rev })
  })
})

test.describe('while an answer takes minutes', () => {
  test.use({ providerBehavior: { wordDelayMs: 250, answer: () => 'The tide comes in. '.repeat(100) } })

  test('a lost run is followed again and can be stopped @long', async ({ page, keeper, watch }) => {
    watch.expectLine(/ERR_CONNECTION_REFUSED/)
    await page.clock.install()
    await startTideTableRun(page, keeper)
    const streamUrl = '**/api/kip/runs/*/stream'
    await page.route(streamUrl, (route) => route.abort('connectionrefused'))
    await page.getByRole('link', { name: 'View run' }).click()
    await expect(page.getByText('Connection lost, reconnecting')).toBeVisible()
    const runUrl = '**/api/kip/runs/*'
    await page.route(runUrl, (route) => route.abort('connectionrefused'))
    const lostNotice = page.getByText('The connection was lost and couldn’t be restored.')
    const stop = page.getByRole('button', { name: 'Stop' })
    await expect(async () => {
      await page.clock.runFor(8000)
      await expect(lostNotice).toBeVisible({ timeout: 100 })
    }).toPass()
    await expect(stop).toHaveCount(0)

    await page.unroute(streamUrl)
    await page.unroute(runUrl)
    await expect(page.getByText('The tide comes in.', { exact: false }).first()).toBeVisible()
    await expect(lostNotice).toHaveCount(0)
    await stop.click()
    await expect(page.getByText('Stopped. The text so far is kept.')).toBeVisible()
  })
})

test.describe('an agent that answers in Markdown', () => {
  test.use({ providerBehavior: { answer: () => '## Tides\n\nHigh water is **at six**.' } })

  test('shows its answer rendered, and unchanged in Raw and in the list @long', async ({ page, keeper }) => {
    const { token } = await registerAndSignIn(page, keeper, 'ada')
    const { id } = await keeper.callApi<Agent>('/api/kip/agents', { name: 'Tide Table', purpose: 'Tells.' }, { token })
    await keeper.callApi('/api/kip/agents', { action: 'run', agentId: id, input: 'When?' }, { token })
    await page.goto('/studio/kip/logs')
    const panel = page.getByRole('tabpanel')
    await expect(panel.getByText('at six', { exact: true })).toBeVisible()
    await expect(panel).not.toContainText('**')
    await page.getByRole('tab', { name: 'Raw' }).click()
    await expect(panel).toContainText('## Tides')
    await expect(panel).toContainText('**at six**')
    await page.getByRole('list', { name: 'Runs' }).getByRole('button', { name: 'Expand' }).click()
    await expect(page.getByRole('list', { name: 'Runs' })).toContainText('**at six**')
  })
})

test.describe('an agent with a writing tool', () => {
  const calls = [{ name: 'add_logbook_entry', arguments: { content: 'The lamp is lit.' } }]
  test.use({
    providerBehavior: { answer: (prompt) => (prompt.startsWith('Say in') ? { calls } : { text: `Then: ${prompt}` }) },
  })

  test('asks where it was run from a card, and continues after the answer @long', async ({
    page,
    keeper,
    modelProviders,
  }) => {
    const { token } = await registerAndSignIn(page, keeper, 'ada')
    const body = { name: 'Keeper of the Log', purpose: 'Writes.', tools: ['add_logbook_entry'] }
    await keeper.callApi<Agent>('/api/kip/agents', body, { token })
    await page.goto('/studio/agents')
    await page
      .getByRole('article')
      .filter({ hasText: 'Keeper of the Log' })
      .getByRole('button', { name: 'Run' })
      .click()
    await page.keyboard.press('Enter')
    const runningRegion = page.getByRole('region', { name: 'Running agents' })
    await expect(runningRegion.getByText('The lamp is lit.', { exact: true })).toBeVisible()
    const postRequests = modelProviders.openai.requests.filter(({ method }) => method === 'POST')
    expect(postRequests, 'it waits for the decision').toHaveLength(1)
    await runningRegion.getByRole('button', { name: 'Don’t allow' }).click()
    await expect(page.getByText(/^Agent executed successfully in \d+ms$/)).toBeVisible()
    await page.getByRole('link', { name: 'View run' }).click()
    await page.getByRole('treeitem', { name: /add_logbook_entry/ }).click()
    await page.getByRole('tab', { name: 'Input' }).click()
    await expect(page.getByRole('tabpanel')).toContainText('The lamp is lit.')
  })
})
