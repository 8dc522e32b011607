import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { expect, registerAndSignIn, test } from './fixtures.ts'

test.use({ settings: { OPENAI_API_KEY: 'sk-of-the-platform-0123456789-wxyz' } })

const getDialog = (page: Page, name = 'API Usage Analytics') => page.getByRole('dialog', { name })

async function openUsage(page: Page) {
  await page.goto('/studio/admin')
  await page.getByRole('button', { name: 'API Usage Analytics' }).click()
  await expect(getDialog(page)).toBeVisible()
}

test('an exhausted budget refuses runs until an administrator lifts it', async ({
  page,
  keeper,
  modelProviders,
  watch,
}) => {
  const cleo = await registerAndSignIn(page, keeper, 'cleo', { isSuperAdmin: true })
  const { id } = await keeper.callApi<{ id: string }>(
    '/api/kip/agents',
    { name: 'Lamp Lighter', purpose: 'Lights lamps.', agent_class: 'Lead' },
    { token: cleo.token },
  )
  await openUsage(page)
  await getDialog(page).getByRole('tab', { name: 'Budgets' }).click()
  const budgetItem = getDialog(page).getByRole('listitem').filter({ hasText: 'Whole platform' })
  await expect(budgetItem).toContainText('$0 spent this month, no limit')
  await budgetItem.getByRole('button', { name: /Change/ }).press('Enter')
  await expect(budgetItem.getByLabel('Limit per month in dollars')).toBeFocused()
  await page.keyboard.type('0')
  await page.keyboard.press('Enter')
  await expect(budgetItem).toContainText('$0 of $0.00 this month')
  await expect(budgetItem.getByText('Spent', { exact: true })).toBeVisible()
  await expect(budgetItem.getByRole('button', { name: /Change/ })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(page.getByText(/Whole platform: \$0 of \$0\.00/)).toBeVisible()

  watch.expectLine(/429/)
  await page.goto('/lamp-lighter')
  const box = page.getByRole('textbox').first()
  await box.fill('Is it dark?')
  await box.press('Enter')
  await expect(page.getByText('This would exceed this server’s monthly budget, so nothing was sent.')).toBeVisible()
  expect(modelProviders.openai.requests.filter(({ method }) => method === 'POST')).toEqual([])

  await openUsage(page)
  await getDialog(page).getByRole('button', { name: 'Change budgets' }).click()
  await budgetItem.getByRole('button', { name: /Change/ }).click()
  await budgetItem.getByRole('button', { name: 'Remove limit' }).click()
  await expect(budgetItem).toContainText('no limit')
  await keeper.callApi('/api/kip/agents', { action: 'run', agentId: id, input: 'Is it dark?' }, { token: cleo.token })
  expect(modelProviders.openai.requests.filter(({ method }) => method === 'POST')).toHaveLength(1)
})

test('usage is shown and exported, and a new price applies to the next run @long', async ({ page, keeper, watch }) => {
  watch.expectLine(/status of 400/)
  const cleo = await registerAndSignIn(page, keeper, 'cleo', { isSuperAdmin: true })
  const credentials = { token: cleo.token }
  const body = { name: 'Lamp Lighter', purpose: 'Lights lamps.', model: 'gpt-4o' }
  const { id } = await keeper.callApi<{ id: string }>('/api/kip/agents', body, credentials)
  const runForCost = async () => {
    const runInput = { action: 'run', agentId: id, input: 'Is it dark?' }
    return (await keeper.callApi<{ usage: { cost_usd: number } }>('/api/kip/agents', runInput, credentials)).usage
      .cost_usd
  }
  expect(await runForCost()).toBeCloseTo(0.000273, 6)
  await openUsage(page)
  const usageDialog = getDialog(page)
  const row = usageDialog.getByRole('table', { name: 'Usage by agent' }).getByRole('row', { name: /Lamp Lighter/ })
  await expect(row).toContainText('17 / 23')
  await expect(row).toContainText('$0.00027')
  const chart = usageDialog.getByRole('group', { name: /^Cost by day/ })
  // The resting pointer would hover over a bar.
  await page.mouse.move(0, 0)
  await chart.getByRole('img').last().focus()
  await expect(usageDialog.getByText(/Platform keys \$0\.00027/)).toBeVisible()
  await page.keyboard.press('ArrowLeft')
  await expect(usageDialog.getByText(/nothing$/)).toBeVisible()
  await usageDialog.getByRole('button', { name: 'Show as table' }).click()
  await expect(usageDialog.getByRole('table', { name: 'Cost by day' }).getByRole('row')).toHaveCount(31)
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    usageDialog.getByRole('button', { name: 'Export CSV' }).click(),
  ])
  expect(download.suggestedFilename()).toMatch(/^keeper-usage-agent-.*\.csv$/)
  expect(await readFile(await download.path(), 'utf8')).toMatch(/Lamp Lighter,1,0,0,/)

  await usageDialog.getByRole('tab', { name: 'Prices' }).click()
  const price = usageDialog.getByRole('row', { name: /gpt-4o \$/ })
  await price.getByRole('button', { name: 'Change the price of gpt-4o' }).press('Enter')
  const form = usageDialog.getByRole('form', { name: 'Price of gpt-4o' })
  await form.getByLabel('Output, dollars').fill('-1')
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(form.getByText('Use an amount of 0 or more.')).toBeVisible()
  await form.getByLabel('Output, dollars').fill('1000')
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(price).toContainText('$1,000.00')
  await expect(price).toContainText('Set here')
  expect(await runForCost()).toBeCloseTo(0.023043, 6)
  await price.getByRole('button', { name: /Change/ }).press('Enter')
  await form.getByRole('button', { name: 'Reset' }).click()
  await expect(price).toContainText('Comes with Keeper')
  expect(await runForCost()).toBeCloseTo(0.000273, 6)
})

test('a person without permissions sees their own usage and budget @long', async ({ page, keeper }) => {
  await registerAndSignIn(page, keeper, 'ben', { path: '/root/api-keys' })
  await page.getByRole('button', { name: 'Your usage' }).click()
  const usageDialog = getDialog(page, 'Your usage')
  await expect(usageDialog.getByText('No runs in this period').first()).toBeVisible()
  await expect(usageDialog.getByLabel('Whose').getByRole('option')).toHaveText([
    'Your own runs',
    'All runs of your agents',
  ])
  await usageDialog.getByRole('tab', { name: 'Budgets' }).click()
  await expect(usageDialog.getByRole('listitem')).toHaveCount(1)
  await usageDialog.getByRole('button', { name: /Change: Your budget/ }).click()
  await usageDialog.getByLabel('Limit per month in dollars').fill('')
  await usageDialog.getByRole('button', { name: 'Save' }).click()
  await expect(usageDialog.getByText('Enter an amount, or remove the limit.')).toBeVisible()
  await usageDialog.getByLabel('Limit per month in dollars').fill('4')
  await usageDialog.getByRole('button', { name: 'Save' }).click()
  await expect(usageDialog.getByRole('progressbar', { name: 'Your budget' })).toHaveAttribute(
    'aria-valuetext',
    '$0 of $4.00 this month',
  )
  await usageDialog.getByRole('tab', { name: 'Prices' }).click()
  await expect(usageDialog.getByRole('row', { name: /gpt-4o-mini \$/ })).toBeVisible()
  await expect(usageDialog.getByRole('button', { name: /Change|Add a price/ })).toHaveCount(0)
})

test("an owner limits what visitors spend, and sees the agent's usage @long", async ({ page, keeper }) => {
  const { token } = await registerAndSignIn(page, keeper, 'ada')
  const body = { name: 'Lamp Lighter', purpose: 'Lights lamps.', agent_class: 'Lead', visibility: 'public' }
  const { id } = await keeper.callApi<{ id: string }>('/api/kip/agents', body, { token })
  await page.goto(`/studio/agents?tab=agent&agentId=${id}`)
  await expect(page.getByText('No runs yet.')).toBeVisible()
  const limit = page.getByLabel('Daily limit for visitors')
  await page.getByRole('button', { name: 'Visitors', exact: true }).click()
  await expect(limit).toHaveValue('')
  await page.getByLabel('Purpose').fill('Lights lamps at dusk.')
  await page.getByRole('button', { name: 'Update Agent' }).click()
  await expect(page.getByText('Updated Lamp Lighter.')).toBeVisible()
  await page.goto(`/studio/agents?tab=agent&agentId=${id}`)
  await page.getByRole('button', { name: 'Visitors', exact: true }).click()
  await expect(limit).toHaveValue('')
  await page.getByLabel('Visitors use my key').check()
  await expect(limit).toHaveValue('0.5')
  await limit.fill('')
  await limit.press('Tab')
  await expect(page.getByText('Set how much visitors can spend on your key per day.')).toBeVisible()
  await limit.fill('2.5')
  await page.getByRole('button', { name: 'Update Agent' }).click()
  await expect
    .poll(() => keeper.callApi('/api/kip/agents?id=lamp-lighter', undefined, { token }))
    .toMatchObject({ visitors_spend_owner_key: true, visitor_daily_usd: 2.5 })
  await keeper.callApi('/api/kip/agents', { action: 'run', agentId: id, input: 'Is it dark?' }, { token })
  await page.goto(`/studio/agents?tab=agent&agentId=${id}`)
  await expect(page.getByRole('term').filter({ hasText: 'Tokens out' })).toBeVisible()
  await expect(page.getByText('No runs yet.')).toHaveCount(0)
  await page.getByRole('button', { name: 'Visibility and Sharing' }).click()
  await page.getByLabel('Visibility', { exact: true }).selectOption('private')
  await expect(limit).toHaveCount(0)
})
