import type { Page } from '@playwright/test'
import type { Agent } from '#contract/agents/agents.ts'
import type { GoldenQuestion } from '#contract/agents/golden-questions.ts'
import { expect, registerAndSignIn, test } from './fixtures.ts'
import { getPurpose } from './locators.ts'

test.use({
  providerBehavior: {
    answer: (prompt, { body }) => {
      const text = JSON.stringify(body).includes('bakery') ? 'At the bakery, from six.' : 'At the quay, from six.'
      return { text, afterMs: prompt.includes('slowly') ? 2500 : 0 }
    },
  },
})

const getPanel = (page: Page) => page.getByRole('region', { name: 'Golden questions' })
const getQuestions = (page: Page) =>
  page.getByRole('list', { name: 'Golden questions', exact: true }).getByRole('listitem')
const getUpdateButton = (page: Page) => page.getByRole('button', { name: 'Update Agent', exact: true })

async function addGoldenQuestion(page: Page, question: string, expectation: string) {
  await getPanel(page).getByRole('button', { name: 'Add', exact: true }).click()
  await page.getByRole('textbox', { name: 'Question' }).fill(question)
  await page.getByRole('textbox', { name: 'What the answer must say' }).fill(expectation)
  await page.getByRole('button', { name: 'Add golden question' }).click()
  await expect(getQuestions(page).filter({ hasText: question })).toBeVisible()
}

test('golden questions run before a change to an agent is published', async ({ page, keeper }) => {
  const { token } = await registerAndSignIn(page, keeper, 'ada')
  const agent = await keeper.callApi<Agent>(
    '/api/kip/agents',
    { name: 'Harbour Guide', purpose: 'Knows the harbour.' },
    { token },
  )
  const editPath = `/studio/agents?tab=agent&agentId=${agent.id}`
  await page.goto(editPath)
  await addGoldenQuestion(page, 'Where is it?', 'at the quay')
  await addGoldenQuestion(page, 'When does it open?', 'six')
  await getPanel(page).getByRole('button', { name: 'Run all' }).click()
  await expect(getPanel(page).getByText('2 of 2 pass.')).toBeVisible()

  await getPurpose(page).fill('Knows the bakery.')
  await getUpdateButton(page).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('Run the golden questions first?')
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(getPurpose(page), 'going back loses nothing').toHaveValue('Knows the bakery.')
  await getUpdateButton(page).click()
  await dialog.getByRole('button', { name: 'Run the 2 golden questions against these changes first' }).click()
  await expect(dialog.getByText('1 of 2 changed. 1 of 2 passes.')).toBeVisible()
  const first = dialog.getByRole('listitem').filter({ hasText: 'Where is it?' })
  await expect(first.getByRole('region', { name: 'Version 1' })).toContainText('At the quay, from six.')
  await expect(first.getByRole('region', { name: 'With these changes' })).toContainText('fail')
  const fetchAgent = () => keeper.callApi<Agent>(`/api/kip/agents?id=${agent.id}`, undefined, { token })
  expect((await fetchAgent()).purpose, 'checking saves nothing').toBe('Knows the harbour.')
  await dialog.getByRole('button', { name: 'Update Agent' }).click()
  await expect(page.getByText('Updated Harbour Guide.')).toBeVisible()
  expect((await fetchAgent()).purpose).toBe('Knows the bakery.')
  const { items } = await keeper.callApi<{ items: { version: number; golden: unknown }[] }>(
    `/api/kip/agents/${agent.id}/versions`,
    undefined,
    { token },
  )
  expect(items.map(({ version, golden }) => [version, golden])).toEqual([
    [2, { passed: 1, total: 2 }],
    [1, null],
  ])

  await page.goto(editPath)
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Bakery Guide')
  await getUpdateButton(page).click()
  await expect(page.getByText('Updated Bakery Guide.'), 'renaming changes no answer').toBeVisible()
})

test('a golden run survives a reload and can be stopped @long', async ({ page, keeper }) => {
  const { token } = await registerAndSignIn(page, keeper, 'ada')
  const agent = await keeper.callApi<Agent>('/api/kip/agents', { name: 'Slow Guide', purpose: 'Knows.' }, { token })
  for (const number of ['one', 'two', 'three', 'four'])
    await keeper.callApi(
      `/api/kip/agents/${agent.id}/golden-questions`,
      { question: `Say slowly ${number}`, expectation: 'quay' },
      { token },
    )
  await page.goto(`/studio/agents?tab=agent&agentId=${agent.id}`)
  await getPanel(page).getByRole('button', { name: 'Run all' }).click()
  await expect(getPanel(page).getByText('0 of 4 answered')).toBeVisible()
  await page.reload()
  await expect(getPanel(page).getByText('2 of 4 answered')).toBeVisible()
  await getPanel(page).getByRole('button', { name: 'Stop' }).click()
  await expect(getPanel(page)).toContainText('Stopped. 2 of 4 pass.')
  await expect(getPanel(page).getByText('Not asked: the run was stopped.')).toHaveCount(2)

  await page.getByRole('button', { name: 'Delete: Say slowly one' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click()
  await expect(getQuestions(page)).toHaveCount(4)
  await page.getByRole('button', { name: 'Delete: Say slowly one' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await expect(getQuestions(page)).toHaveCount(3)
  await page.getByRole('button', { name: 'Edit: Say slowly two' }).click()
  await page.getByRole('textbox', { name: 'What the answer must say' }).fill('the quay')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(getQuestions(page).first()).toContainText('Must contain: the quay')
})

test('a golden question with a concurrent change shows both versions @long', async ({ page, keeper, watch }) => {
  watch.expectLine(/status of 409/)
  const { token } = await registerAndSignIn(page, keeper, 'ada')
  const agent = await keeper.callApi<Agent>('/api/kip/agents', { name: 'Guide', purpose: 'Knows.' }, { token })
  const path = `/api/kip/agents/${agent.id}/golden-questions`
  const questionInput = { question: 'Where is it?', expectation: 'quay', judged_by: 'contains' }
  const { id, rev } = await keeper.callApi<GoldenQuestion>(path, questionInput, { token })
  await page.goto(`/studio/agents?tab=agent&agentId=${agent.id}`)
  await page.getByRole('button', { name: 'Edit: Where is it?' }).click()
  await page.getByRole('textbox', { name: 'What the answer must say' }).fill('the quay')
  const concurrentUpdate = await page.request.put(`${path}/${id}`, {
    data: { ...questionInput, expectation: 'the bakery' },
    headers: { authorization: `Bearer ${token}`, 'if-match': `${rev}` },
  })
  expect(concurrentUpdate.ok()).toBe(true)
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'This golden question was changed elsewhere' })
  await expect(dialog).toContainText('the bakery')
  await dialog.getByRole('button', { name: 'Decide later' }).click()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(dialog, 'a second press shows it again').toContainText('the quay')
  await dialog.getByRole('button', { name: 'Keep theirs' }).click()
  await expect(getQuestions(page).first()).toContainText('Must contain: the bakery')
})
