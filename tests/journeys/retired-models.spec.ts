import { expectNoViolations } from './expect-no-violations.ts'
import { expect, registerAndSignIn, test } from './fixtures.ts'

interface Agent {
  id: string
  slug: string
  model: string
}

test('a retired model is marked everywhere, switched in one click and restored @long', async ({ page, keeper }) => {
  const { token } = await registerAndSignIn(page, keeper, 'ada')
  await keeper.callApi(
    '/api/kip/user-keys',
    { provider: 'openai', apiKey: 'sk-canary0personal0openai0Zq81' },
    { token },
  )
  const body = { name: 'Old Hand', purpose: 'Helps.', model: 'gpt-3.5-turbo' }
  const agent = await keeper.callApi<Agent>('/api/kip/agents', body, { token })

  await page.goto('/root')
  const waitingRegion = page.getByRole('region', { name: 'Waiting for you' })
  await expect(waitingRegion.getByRole('link', { name: /Model gpt-3\.5-turbo: Shut down/ })).toBeVisible()
  await expectNoViolations(page, 'an agent with a retired model')
  await page.setViewportSize({ width: 390, height: 844 })
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  await page.setViewportSize({ width: 1440, height: 900 })

  await page.goto('/studio/agents')
  const card = page.getByRole('article').filter({ hasText: 'Old Hand' })
  await expect(card.getByText('Shut down')).toBeVisible()
  await card.getByRole('link', { name: 'Old Hand' }).click()
  const notice = page.getByRole('status').filter({ hasText: 'gpt-3.5-turbo: Shut down.' })
  await expect(notice).toBeVisible()
  await expectNoViolations(page, 'the form of an agent with a retired model')
  await notice.getByRole('button', { name: /^Switch to / }).click()
  await expect(page.getByText(/^Old Hand now uses /)).toBeVisible()
  await expect(notice).toHaveCount(0)
  await page.getByRole('button', { name: /^Model Configuration/ }).click()
  await expect(page.getByRole('combobox', { name: 'Model' })).not.toHaveValue('gpt-3.5-turbo')
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByRole('combobox', { name: 'Model' })).toHaveValue('gpt-3.5-turbo')

  await page.goto('/root')
  await waitingRegion.getByRole('button', { name: /^Switch to / }).click()
  await expect(page.getByText(/^Old Hand now uses /)).toBeVisible()
  await expect(waitingRegion).toHaveCount(0)
  const { items } = (await keeper.callApi(`/api/kip/agents/${agent.id}/versions`, undefined, { token })) as {
    items: object[]
  }
  expect(items).toHaveLength(4)
})
