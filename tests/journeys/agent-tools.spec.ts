import type { Agent } from '#contract/agents/agents.ts'
import { expect, registerAndSignIn, test } from './fixtures.ts'

test('tools are suggested by keyboard, and unknown ones marked before saving @long', async ({ page, keeper }) => {
  const { token } = await registerAndSignIn(page, keeper, 'ada')
  const body = { name: 'Scribe', purpose: 'Writes.', tools: ['read_sole'] }
  const agent = await keeper.callApi<Agent>('/api/kip/agents', body, { token })
  await page.goto(`/studio/agents?tab=agent&agentId=${agent.id}`)
  await page.getByRole('button', { name: 'Reach', exact: true }).click()
  const tools = page.getByRole('combobox', { name: 'Tools' })
  await expect(tools).toHaveValue('read_sole')
  await tools.focus()
  await page.keyboard.press('End')
  await page.keyboard.type(', logb')
  const offered = page.getByRole('listbox', { name: 'Tools' }).getByRole('option')
  await expect(offered.first()).toContainText('add_logbook_entry')
  await expect(offered.first()).toContainText('makes changes, asks first')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(tools).toHaveValue('read_sole, add_logbook_entry, ')
  await page.keyboard.type('fly')
  await page.keyboard.press('Tab')
  await expect(tools).toHaveAccessibleDescription(/^Unknown tools: fly\. Available tools: .*search_memory/)
  await page.getByRole('button', { name: 'Update Agent' }).click()
  await expect(tools, 'nothing is sent, and the invalid field has the focus').toBeFocused()
  await expect(page.getByRole('heading', { name: 'To update this agent' })).toBeVisible()
  await tools.fill('read_sole, add_logbook_entry, ')
  await page.getByRole('button', { name: 'Update Agent' }).click()
  await expect(page.getByText('Updated Scribe.')).toBeVisible()
  const savedAgent = await keeper.callApi<Agent>(`/api/kip/agents?id=${agent.id}`, undefined, { token })
  expect(savedAgent.tools).toEqual(['read_sole', 'add_logbook_entry'])
})

test('a bundle is ordered, shown as a tree and cannot contain itself @long', async ({ page, keeper, watch }) => {
  watch.expectLine(/status of 400/)
  const { token } = await registerAndSignIn(page, keeper, 'ada')
  const createAgent = (name: string, bundle?: string[]) =>
    keeper.callApi<Agent>(
      '/api/kip/agents',
      { name, purpose: `${name} works.`, ...(bundle && { agent_class: 'Coordinator', config: { bundle } }) },
      { token },
    )
  await createAgent('Leaf')
  await createAgent('Other')
  const lower = await createAgent('Lower', ['leaf', 'other'])
  await createAgent('Upper', ['lower'])
  await page.goto(`/studio/agents?tab=agent&agentId=${lower.id}`)
  await page.getByRole('button', { name: /^leaf, 1 of 2/ }).focus()
  await page.keyboard.press('ArrowRight')
  await expect(page.getByRole('button', { name: /^leaf, 2 of 2/ })).toBeFocused()
  const bundle = page.getByRole('combobox', { name: 'Agent bundle' })
  await bundle.fill('upper')
  await bundle.press('Enter')
  const tree = page.getByRole('list', { name: 'Bundle of upper' })
  await expect(tree).toContainText('A Coordinator can’t end up calling itself')
  await page.getByRole('button', { name: 'Update Agent' }).click()
  await expect(bundle).toHaveAccessibleDescription('A Coordinator can’t end up calling itself: lower → upper → lower.')
  await page.getByRole('button', { name: 'Remove upper' }).click()
  await page.getByRole('button', { name: 'Update Agent' }).click()
  await expect(page.getByText('Updated Lower.')).toBeVisible()
  const savedAgent = await keeper.callApi<Agent>(`/api/kip/agents?id=${lower.id}`, undefined, { token })
  expect(savedAgent.config.bundle).toEqual(['other', 'leaf'])
})
