import type { Agent } from '#contract/agents/agents.ts'
import { expectNoViolations } from './expect-no-violations.ts'
import { expect, registerAndSignIn, test } from './fixtures.ts'

test.use({
  providerBehavior: {
    answer: (prompt, { body }) => {
      const { model } = (body ?? {}) as { model?: string }
      const text = model === 'gpt-5-mini' ? 'I do not know.' : `At the quay, from six, says ${model}.`
      return { text, afterMs: prompt.includes('slowly') ? 900 : 0 }
    },
  },
})

test('two candidate models answer golden questions before a switch @long', async ({ page, keeper }) => {
  const { token } = await registerAndSignIn(page, keeper, 'ada')
  await keeper.callApi(
    '/api/kip/user-keys',
    { provider: 'openai', apiKey: 'sk-canary0personal0openai0Zq81' },
    { token },
  )
  const body = { name: 'Old Hand', purpose: 'Helps.', model: 'gpt-3.5-turbo' }
  const agent = await keeper.callApi<Agent>('/api/kip/agents', body, { token })
  for (const question of ['Where is it?', 'When does it open? Say it slowly.'])
    await keeper.callApi(
      `/api/kip/agents/${agent.id}/golden-questions`,
      { question, expectation: question.startsWith('Where') ? 'at the quay' : 'six' },
      { token },
    )
  const fetchAgent = () => keeper.callApi<Agent>(`/api/kip/agents?id=${agent.id}`, undefined, { token })

  await page.goto('/root')
  const waitingRegion = page.getByRole('region', { name: 'Waiting for you' })
  await waitingRegion.getByRole('button', { name: /^Switch to / }).focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Compare models for Old Hand' })
  await expect(dialog.getByLabel('First candidate')).not.toHaveValue('')
  expect((await fetchAgent()).model, 'nothing is switched yet').toBe('gpt-3.5-turbo')
  await dialog.getByLabel('First candidate').selectOption('gpt-4o-mini')
  await expect(dialog.getByLabel('Second candidate')).not.toHaveValue('gpt-4o-mini')
  await dialog.getByLabel('Second candidate').selectOption('gpt-4o-mini')
  await expect(dialog).toContainText('Choose two different models.')
  await expect(dialog.getByRole('button', { name: 'Ask the 2 golden questions' })).toBeDisabled()
  await dialog.getByLabel('Second candidate').selectOption('gpt-5-mini')
  await expectNoViolations(page, 'the choice of two candidates')
  await dialog.getByRole('button', { name: 'Ask the 2 golden questions' }).click()
  await expect(dialog.getByText('1 of 2 answered')).toBeVisible()
  await page.reload()
  await waitingRegion.getByRole('button', { name: /^Switch to / }).click()
  await expect(dialog.getByText('gpt-4o-mini passes 2 of 2, gpt-5-mini 0 of 2.')).toBeVisible()

  const columns = dialog.getByRole('list', { name: 'Models compared' }).getByRole('listitem')
  await expect(columns).toHaveCount(3)
  await expect(columns.nth(0)).toContainText(/gpt-3\.5-turbo.*2 of 2.*\$0\.\d+.*\d ?m?s/)
  await expect(columns.nth(2)).toContainText(/gpt-5-mini.*0 of 2.*\$0\.\d+/)
  const first = dialog.getByRole('listitem').filter({ hasText: 'Where is it?' })
  await expect(first.getByRole('region', { name: 'gpt-3.5-turbo' })).toContainText('At the quay')
  await expect(first.getByRole('region', { name: 'gpt-4o-mini' })).toContainText('pass')
  await expect(first.getByRole('region', { name: 'gpt-5-mini' })).toContainText('fail')
  await expectNoViolations(page, 'three models side by side')
  await page.setViewportSize({ width: 390, height: 844 })
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  await page.setViewportSize({ width: 1440, height: 900 })

  await dialog.getByRole('button', { name: 'Switch to gpt-4o-mini' }).click()
  await expect(page.getByText('Old Hand now uses gpt-4o-mini.')).toBeVisible()
  await expect(dialog).toBeHidden()
  expect((await fetchAgent()).model).toBe('gpt-4o-mini')
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(waitingRegion.getByRole('button', { name: /^Switch to / })).toBeVisible()
  expect((await fetchAgent()).model).toBe('gpt-3.5-turbo')

  await page.goto(`/studio/agents?tab=agent&agentId=${agent.id}`)
  const compare = page.getByRole('button', { name: 'Compare models' })
  await page.getByRole('textbox', { name: 'Purpose', exact: true }).fill('Helps more.')
  await expect(compare).toBeDisabled()
  await page.getByRole('textbox', { name: 'Purpose', exact: true }).fill('Helps.')
  await compare.click()
  await expect(dialog.getByLabel('Second candidate')).not.toHaveValue('')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(dialog).toBeHidden()
})
