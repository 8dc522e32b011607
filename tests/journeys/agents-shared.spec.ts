import { readFile } from 'node:fs/promises'
import type { Agent } from '#contract/agents/agents.ts'
import { dropNextResponse } from './delayed-posts.ts'
import { expect, registerAndSignIn, test } from './fixtures.ts'
import { getAgentCard, getPurpose } from './locators.ts'

const getFormPath = (agent: Agent) => `/studio/agents?tab=agent&agentId=${agent.id}`
const harbour = { name: 'Harbour Keeper', purpose: 'Reads the day.', visibility: 'shared' }

test('Ben runs but cannot edit an agent that Ada shares, until she revokes it', async ({
  page,
  keeper,
  anotherPage,
  watch,
}) => {
  watch.expectLine(/status of 404/)
  const ada = await registerAndSignIn(page, keeper, 'ada')
  const agent = await keeper.callApi<Agent>('/api/kip/agents', harbour, { token: ada.token })
  const benPage = await anotherPage()
  await registerAndSignIn(benPage, keeper, 'ben', { path: '/studio/agents' })
  await expect(getAgentCard(benPage, 'Kip')).toBeVisible()
  await expect(getAgentCard(benPage, 'Harbour Keeper')).toHaveCount(0)

  await page.goto(getFormPath(agent))
  await expect(page.getByRole('navigation', { name: 'Breadcrumbs' })).toContainText('Manage Agents')
  await expect(page.getByRole('navigation', { name: 'Breadcrumbs' })).toContainText('Harbour Keeper')
  await page.getByRole('button', { name: 'Visibility and Sharing' }).click()
  await page.getByRole('searchbox', { name: 'Find people by name or email' }).fill('ben')
  await page.getByRole('button', { name: 'Add Ben Haugen' }).click()
  const rights = page.getByRole('group', { name: 'Rights of Ben Haugen' })
  await expect(rights.getByRole('checkbox', { name: 'Run' })).toBeChecked()
  await expect(rights.getByRole('checkbox', { name: 'Edit' })).not.toBeChecked()

  await expect(getAgentCard(benPage, 'Harbour Keeper'), 'without reloading').toContainText('Shared with you')
  await expect(getAgentCard(benPage, 'Harbour Keeper').getByRole('button', { name: /^Edit/ })).toBeDisabled()
  await expect(getAgentCard(benPage, 'Harbour Keeper').getByRole('button', { name: /^Delete/ })).toHaveCount(0)
  const run = getAgentCard(benPage, 'Harbour Keeper').getByRole('button', { name: /^Run/ })
  await run.click()
  await benPage.keyboard.press('Enter')
  await expect(benPage.getByText(/Agent executed successfully in \d+ms/)).toBeVisible()
  await benPage.keyboard.press('Escape')
  await benPage.goto(getFormPath(agent))
  await expect(benPage.getByText('This agent is shared with you, but you can’t change it.')).toBeVisible()
  await expect(getPurpose(benPage)).toBeDisabled()
  await expect(benPage.getByRole('button', { name: 'Update Agent' })).toHaveCount(0)
  await benPage.getByRole('button', { name: 'Visibility and Sharing' }).click()
  await expect(benPage.getByRole('heading', { name: 'Sharing', exact: true })).toHaveCount(0)

  await rights.getByRole('checkbox', { name: 'Edit' }).check()
  await expect(rights.getByRole('checkbox', { name: 'Edit' })).toBeEnabled()
  await expect(getPurpose(benPage)).toBeEnabled()
  await expect(benPage.getByRole('combobox', { name: 'Visibility' }), 'only Ada decides that').toBeDisabled()

  await benPage.goto(`/studio/agents/${agent.id}`)
  await benPage.getByRole('textbox', { name: 'Test input' }).fill('Are you there?')
  await page.getByRole('button', { name: 'Remove Ben Haugen' }).click()
  await expect(page.getByText('Only you so far.')).toBeVisible()
  await benPage.getByRole('button', { name: 'Run', exact: true }).click()
  await expect(benPage.getByText('Agent not found').first()).toBeVisible()
  await benPage.goto('/studio/agents')
  await expect(getAgentCard(benPage, 'Kip')).toBeVisible()
  await expect(getAgentCard(benPage, 'Harbour Keeper')).toHaveCount(0)

  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(rights.getByRole('checkbox', { name: 'Edit' })).toBeChecked()
  await expect(getAgentCard(benPage, 'Harbour Keeper')).toBeVisible()
})

test('versions show who changed what, and an earlier one can be restored @long', async ({
  page,
  keeper,
  anotherPage,
}) => {
  const ada = await registerAndSignIn(page, keeper, 'ada')
  const agent = await keeper.callApi<Agent>('/api/kip/agents', harbour, { token: ada.token })
  const benPage = await anotherPage()
  const ben = await registerAndSignIn(benPage, keeper, 'ben')
  const grant = `/api/kip/agents/${agent.id}/grants/${ben.user.id}`
  await keeper.callApi(grant, { rights: ['edit'] }, { token: ada.token, method: 'PUT' })
  await benPage.goto(getFormPath(agent))
  const longer = 'Reads the moments of the day in the harbour and drafts a reflection when something repeats.'
  await getPurpose(benPage).fill(longer)
  await benPage.getByRole('button', { name: 'Update Agent' }).click()
  await expect(benPage).toHaveURL(/\/studio\/agents$/)

  await page.goto(getFormPath(agent))
  await expect(getPurpose(page)).toHaveValue(longer)
  await page.getByRole('button', { name: 'Versions' }).click()
  const drawer = page.getByRole('dialog', { name: 'Versions of Harbour Keeper' })
  const newest = drawer.getByRole('listitem').first()
  await expect(newest).toContainText('Version 2')
  await expect(newest).toContainText('Ben Haugen')
  await expect(newest.locator('ins').first()).toBeVisible()
  await drawer.getByRole('button', { name: 'Restore version 1' }).click()
  const question = page.getByRole('alertdialog', { name: 'Restore version 1?' })
  await expect(question.locator('del').first()).toBeVisible()
  const fetchAgent = () => keeper.callApi<Agent>(`/api/kip/agents?id=${agent.id}`, undefined, { token: ada.token })
  expect((await fetchAgent()).rev, 'nothing is saved before the decision').toBe(2)
  await question.getByRole('button', { name: 'Restore' }).click()
  await expect(drawer.getByText('Version 1 was restored.')).toBeVisible()
  await expect(newest).toContainText('restored from 1')
  await page.keyboard.press('Escape')
  await expect(getPurpose(page)).toHaveValue('Reads the day.')
  expect(await fetchAgent()).toMatchObject({ rev: 3, purpose: 'Reads the day.' })
})

test('an exported agent is imported under another slug @long', async ({ page, keeper, watch }) => {
  watch.expectLine(/status of 4(09|00)/)
  const { token } = await registerAndSignIn(page, keeper, 'ada')
  const body = { name: 'Harbour Keeper', purpose: 'Reads the day.', tools: ['read_sole'] }
  const agent = await keeper.callApi<Agent>('/api/kip/agents', body, { token })
  await page.goto(getFormPath(agent))
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export' }).click()
  const savedFile = await download
  expect(savedFile.suggestedFilename()).toBe('harbour-keeper.agent.json')
  const text = await readFile(await savedFile.path(), 'utf8')
  expect(text).not.toContain(agent.id)

  await page.getByRole('tab', { name: 'Registry' }).click()
  await page.getByRole('button', { name: 'Import' }).click()
  const dialog = page.getByRole('dialog', { name: 'Import an agent' })
  const importButton = dialog.getByRole('button', { name: 'Import Agent' })
  const choose = (content: string) =>
    dialog
      .getByLabel('Agent file')
      .setInputFiles({ name: 'agent.json', mimeType: 'application/json', buffer: Buffer.from(content) })
  await choose('{"not": "an agent"}')
  await expect(dialog.getByText('This isn’t an agent exported from Keeper.')).toBeVisible()
  await expect(importButton).toBeDisabled()

  const file = JSON.parse(text) as { agent: Agent }
  await choose(JSON.stringify({ ...file, agent: { ...file.agent, tools: ['read_sole', 'sonar'] } }))
  await expect(dialog.getByRole('region', { name: 'Agent to import' })).toContainText('Reads the day.')
  await importButton.click()
  await expect(dialog.getByText('This slug is taken. Choose another one.')).toBeVisible()
  await dialog.getByRole('button', { name: 'Use harbour-keeper-2' }).click()
  await importButton.click()
  await expect(dialog.getByText(/Unknown tools: sonar/)).toBeVisible()
  await expect(importButton).toBeDisabled()
  await dialog.getByRole('checkbox', { name: 'Import without sonar' }).check()
  await dropNextResponse(page, watch, '**/api/kip/agents/import')
  await importButton.click()
  await expect(dialog.getByRole('alert')).toBeVisible()
  await importButton.click()
  await expect(page.getByText('Imported Harbour Keeper.')).toBeVisible()
  await expect(getAgentCard(page, 'Harbour Keeper')).toHaveCount(2)
  const importedAgent = await keeper.callApi<Agent>('/api/kip/agents?id=harbour-keeper-2', undefined, { token })
  expect(importedAgent).toMatchObject({ purpose: 'Reads the day.', tools: ['read_sole'], rev: 1 })
})
