import type { Page } from '@playwright/test'
import type { Agent } from '#contract/agents/agents.ts'
import type { Keeper } from '#contract/keepers/keepers.ts'
import type { MemoryCard } from '#contract/keepers/memory-cards.ts'
import type { Reflection } from '#contract/keepers/reflections.ts'
import type { ImportJob } from '#contract/keepers/transfer.ts'
import type { BuiltKeeper } from './built-keeper.ts'
import { expectNoViolations } from './expect-no-violations.ts'
import { expect, registerAndSignIn, test } from './fixtures.ts'

test.use({
  providerBehavior: {
    answer: (prompt, { body }) => {
      const text = JSON.stringify(body ?? {})
      return {
        text: text.includes('moved to Oslo') ? 'He lives in Oslo now.' : 'He lives in Bergen.',
        afterMs: prompt.includes('slowly') ? 900 : 0,
      }
    },
  },
})

/** Signs Ada in with a keeper and an agent that reads it and has a golden question. */
async function createKeeperWithAgent(page: Page, keeper: BuiltKeeper) {
  const { token } = await registerAndSignIn(page, keeper, 'ada')
  const callApi = <Data>(path: string, body?: unknown) => keeper.callApi<Data>(path, body, { token })
  await callApi('/api/kip/user-keys', { provider: 'openai', apiKey: 'sk-canary0personal0openai0Zq81' })
  const keeperInput = { title: 'The Harbour Year', purpose: 'p', keeperType: 'journal', memoryPattern: 'sole' }
  const { id } = await callApi<Keeper>('/api/keeper/keepers', keeperInput)
  const agentInput = { name: 'Harbour friend', purpose: 'You help.', context_scope: 'keeper' }
  const agent = await callApi<Agent>('/api/kip/agents', agentInput)
  await callApi(`/api/keeper/agents/${agent.id}/keeper-types/system-journal`, {})
  await callApi(`/api/kip/agents/${agent.id}/golden-questions`, {
    question: 'Where does he live? Say it slowly.',
    expectation: 'Bergen',
  })
  const createReflection = (content: string) =>
    callApi<Reflection>(`/api/keeper/keepers/${id}/reflections`, { content })
  const listCards = () => callApi<MemoryCard[]>(`/api/keeper/keepers/${id}/memory-cards`)
  return { id, callApi, token, createReflection, listCards }
}

test('a reflection that changes a golden answer is kept only after comparing', async ({ page, keeper }) => {
  const { id, createReflection, listCards } = await createKeeperWithAgent(page, keeper)
  const reflection = await createReflection('Per moved to Oslo in spring.')
  await page.goto(`/keeper/${id}/reflection-journal?reflection=${reflection.id}`)
  const keepButton = page.getByRole('button', { name: 'Keep', exact: true })
  const progressDialog = page.getByRole('dialog', { name: 'Asking golden questions' })
  await keepButton.focus()
  await page.keyboard.press('Enter')
  await expect(progressDialog).toContainText('0 of 1 answered')
  await expect(progressDialog).toContainText('Harbour friend answers its golden')
  await expectNoViolations(page, 'golden questions in progress')
  const changeDialog = page.getByRole('dialog', { name: 'One answer would change' })
  await expect(changeDialog.getByRole('region', { name: 'Without this memory' })).toContainText('He lives in Bergen.')
  await expect(changeDialog.getByRole('region', { name: 'With this memory' })).toContainText('He lives in Oslo now.')
  await expectNoViolations(page, 'a changed answer')
  await page.setViewportSize({ width: 390, height: 844 })
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  await page.setViewportSize({ width: 1440, height: 900 })
  await changeDialog.getByRole('button', { name: 'Don’t approve' }).click()
  await expect(changeDialog).toBeHidden()
  expect(await listCards()).toEqual([])

  await keepButton.click()
  await expect(progressDialog).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(progressDialog).toBeHidden()
  expect(await listCards(), 'canceling does not approve').toEqual([])
  await keepButton.click()
  await changeDialog.getByRole('button', { name: 'Approve anyway' }).click()
  await expect(page.getByText('Kept as a memory card').first()).toBeVisible()
  expect(await listCards()).toHaveLength(1)
})

test('a memory is kept without asking, or right away if nothing changes @long', async ({ page, keeper }) => {
  const { id, createReflection, listCards } = await createKeeperWithAgent(page, keeper)
  const reflection = await createReflection('Per moved to Oslo in spring.')
  const lamp = await createReflection('The lamp stays on at night.')
  const keepButton = page.getByRole('button', { name: 'Keep', exact: true })
  await page.goto(`/keeper/${id}/reflection-journal?reflection=${lamp.id}`)
  await keepButton.click()
  await expect(page.getByText('Kept as a memory card').first()).toBeVisible()
  await page.goto(`/keeper/${id}/reflection-journal?reflection=${reflection.id}`)
  await keepButton.click()
  await page.getByRole('button', { name: 'Approve without asking' }).click()
  await expect(page.getByText('Kept as a memory card').first()).toBeVisible()
  expect(await listCards()).toHaveLength(2)
})

test('a SOLE draft that would change a golden answer needs confirmation @long', async ({ page, keeper }) => {
  const { id, callApi } = await createKeeperWithAgent(page, keeper)
  await callApi(`/api/keeper/keepers/${id}/sole/draft`, { content: 'Per moved to Oslo. The lamp stays on.' })
  await page.goto(`/keeper/${id}/memory`)
  const draft = page.getByRole('region', { name: 'Pending draft' })
  await draft.getByRole('button', { name: 'Approve', exact: true }).click()
  const changeDialog = page.getByRole('dialog', { name: 'One answer would change' })
  await changeDialog.getByRole('button', { name: 'Don’t approve' }).click()
  await expect(draft).toBeVisible()
  await draft.getByRole('button', { name: 'Approve', exact: true }).click()
  await changeDialog.getByRole('button', { name: 'Approve anyway' }).click()
  await expect(page.getByRole('list', { name: 'Approved statements' })).toContainText('Per moved to Oslo.')
})

test('an imported card written by an agent needs confirmation too @long', async ({ page, keeper }) => {
  const { id, callApi, token } = await createKeeperWithAgent(page, keeper)
  const reflectionInput = { content: 'Per moved to Oslo in spring.', topic: 'Per', agentId: 'somebody-elses-agent' }
  const reflection = await callApi<Reflection>(`/api/keeper/keepers/${id}/reflections`, reflectionInput)
  await callApi(`/api/keeper/reflections/${reflection.id}/promote`, { goldenCheck: { skip: true } })
  const headers = { authorization: `Bearer ${token}` }
  const archive = await (await page.request.get(`/api/keeper/keepers/${id}/export`, { headers })).body()
  await keeper.callApi(`/api/keeper/keepers/${id}`, undefined, { token, method: 'DELETE' })
  const uploaded = await page.request.post('/api/keeper/imports?fileName=a.zip', {
    headers: { ...headers, 'content-type': 'application/zip' },
    data: archive,
  })
  const { data: job } = (await uploaded.json()) as { data: ImportJob }
  const fetchJob = () => callApi<ImportJob>(`/api/keeper/imports/${job.id}`)
  await expect.poll(async () => (await fetchJob()).state).toBe('previewed')
  await callApi(`/api/keeper/imports/${job.id}/begin`, {})
  await expect.poll(async () => (await fetchJob()).state).toBe('done')
  const [imported] = await callApi<Keeper[]>('/api/keeper/keepers')

  await page.goto(`/keeper/${imported?.id}/memory-cards`)
  const card = page.getByRole('article', { name: 'Per' })
  const approve = card.getByRole('button', { name: 'Approve', exact: true })
  await approve.click()
  const changeDialog = page.getByRole('dialog', { name: 'One answer would change' })
  await changeDialog.getByRole('button', { name: 'Don’t approve' }).click()
  await expect(approve, 'it is still waiting').toBeVisible()
  await approve.click()
  await changeDialog.getByRole('button', { name: 'Approve anyway' }).click()
  await expect(page.getByText('Approved. This card is part of your memory now')).toBeVisible()
  await expect(approve).toHaveCount(0)
})
