import type { Agent } from '#contract/agents/agents.ts'
import { arrive, expect, test } from './fixtures.ts'

const longInput = `The harbour is quiet tonight. ${'The lamp is on in the kitchen again. '.repeat(6)}The end of it.`

test('forty-five runs are read page by page, filtered, opened, and shown with their failure', async ({
  page,
  keeper,
  modelProviders,
}) => {
  const { token } = await arrive(page, keeper, 'ada')
  const made = (name: string) => keeper.ask<Agent>('/api/kip/agents', { name, purpose: 'Answers.' }, { token })
  const [round, lamp] = [await made('Evening Round'), await made('Lamp Lighter')]
  const run = (agent: Agent, input: string) =>
    keeper.ask<{ run_id: string }>('/api/kip/agents', { action: 'run', agentId: agent.id, input }, { token })
  const first = await run(lamp, longInput)
  for (let count = 2; count <= 44; count++) await run(round, `Run number ${count}`)
  modelProviders.openai.script(['status-400'])
  await run(lamp, 'The one that fails').catch(() => undefined)

  await page.goto('/studio/kip/logs')
  const rows = page.getByRole('list', { name: 'Runs' }).getByRole('listitem')
  const [previous, next] = ['Previous', 'Next'].map((name) => page.getByRole('button', { name, exact: true }))
  if (!previous || !next) throw new Error('two buttons')
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
  await expect(oldest).toContainText('gpt-4o')
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

test('somebody without runs is told so, and sees nothing of anybody else’s', async ({
  page,
  keeper,
  anotherPage,
  watch,
}) => {
  watch.expectLine(/status of 40[34]/)
  const { token } = await arrive(page, keeper, 'ada')
  const agent = await keeper.ask<Agent>('/api/kip/agents', { name: 'Ours', purpose: 'Answers.' }, { token })
  const run = { action: 'run', agentId: agent.id, input: 'A private line' }
  const { run_id } = await keeper.ask<{ run_id: string }>('/api/kip/agents', run, { token })
  const bens = await anotherPage()
  await arrive(bens, keeper, 'ben', { path: '/studio/admin/logs' })
  await expect(bens.getByText('No logs found. Execute some agents to see logs here.')).toBeVisible()
  await bens.goto(`/studio/admin/logs?run=${run_id}`)
  await expect(bens.getByText(/^Error loading logs: /)).toBeVisible()
  await expect(bens.getByText('A private line')).toHaveCount(0)
})

test('logs that cannot be loaded say so and can be asked for again', async ({ page, keeper, watch }) => {
  watch.expectLine(/status of 500/)
  await page.route('**/api/kip/agents?logs=true*', (route) =>
    route.fulfill({ status: 500, json: { success: false, error: 'The shelf did not answer.' } }),
  )
  await arrive(page, keeper, 'ada', { path: '/studio/kip/logs' })
  await expect(page.getByText('Error loading logs: The shelf did not answer.')).toBeVisible()
  await page.unroute('**/api/kip/agents?logs=true*')
  await page.getByRole('button', { name: 'Retry' }).click()
  await expect(page.getByText('No logs found. Execute some agents to see logs here.')).toBeVisible()
})
