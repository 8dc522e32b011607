import type { Agent } from '#contract/agents/agents.ts'
import { expectNoViolations } from './expect-no-violations.ts'
import { expect, registerAndSignIn, registerPerson, test } from './fixtures.ts'

test.use({
  contextOptions: { reducedMotion: 'reduce' },
  providerBehavior: {
    answer: (prompt) =>
      prompt.startsWith('Please')
        ? { text: 'I ask first.', calls: [{ name: 'search_memory', arguments: { query: 'doors' } }] }
        : 'At the quay, from six.',
  },
})

const harbour = {
  name: 'Harbour Keeper',
  purpose: 'Reads the day.',
  visibility: 'shared',
  memory_enabled: true,
  tools: ['search_memory'],
}

test('the agent form and its panels have no WCAG violations @long', async ({ page, keeper }) => {
  test.slow()
  const { user: ben } = await registerPerson(keeper, 'ben')
  const { token } = await registerAndSignIn(page, keeper, 'ada')
  const agent = await keeper.callApi<Agent>('/api/kip/agents', harbour, { token })
  const path = `/api/kip/agents/${agent.id}`
  await keeper.callApi(`${path}/grants/${ben.id}`, { rights: ['run'] }, { token, method: 'PUT' })
  const changes = { id: agent.id, purpose: 'Reads the day and the tide.' }
  await keeper.callApi('/api/kip/agents', changes, { token, method: 'PUT' })
  for (const expectation of ['quay', 'high water'])
    await keeper.callApi(`${path}/golden-questions`, { question: 'Where is it?', expectation }, { token })

  await page.goto(`/studio/agents?tab=agent&agentId=${agent.id}`)
  const panel = page.getByRole('region', { name: 'Golden questions' })
  await panel.getByRole('button', { name: 'Run all' }).click()
  await expect(panel.getByText('1 of 2 passes.')).toBeVisible()
  await expectNoViolations(page, 'the form')
  await panel.getByRole('button', { name: 'Add', exact: true }).click()
  await expectNoViolations(page, 'a new golden question')
  await page.getByRole('button', { name: 'Versions' }).click()
  await expect(page.getByText('Version 1', { exact: true })).toBeVisible()
  await expectNoViolations(page, 'the versions')
  await page.getByRole('button', { name: 'Restore version 1' }).click()
  await expect(page.getByRole('alertdialog').locator('del').first()).toBeVisible()
  await expectNoViolations(page, 'restoring a version')
  await page.goto(`/studio/agents?tab=keeper-types&agentId=${agent.id}`)
  await page.getByRole('button', { name: 'Assign New' }).first().click()
  await expect(
    page
      .getByRole('dialog')
      .getByRole('button', { name: /^Assign/ })
      .first(),
  ).toBeVisible()
  await expectNoViolations(page, 'assigning keeper types')
  await page.goto('/studio/agents')
  await page.getByRole('button', { name: 'Import' }).click()
  await expect(page.getByRole('dialog', { name: 'Import an agent' })).toBeVisible()
  await expectNoViolations(page, 'importing')
})

test('runs and comparisons have no WCAG violations, also on a phone @long', async ({ page, keeper }) => {
  test.slow()
  const { token } = await registerAndSignIn(page, keeper, 'ada')
  const agent = await keeper.callApi<Agent>('/api/kip/agents', harbour, { token })
  const runAgent = async (input: string) => {
    const body = { action: 'run', agentId: agent.id, input }
    return (await keeper.callApi<{ run_id: string }>('/api/kip/agents', body, { token })).run_id
  }
  const firstRunId = await runAgent('Please say what I wrote about doors.')
  const secondRunId = await runAgent('And about boats?')
  await page.goto(`/studio/kip/logs?run=${firstRunId}`)
  const tool = page.getByRole('treeitem', { name: /^search_memory, tool/ })
  await expect(tool, 'the outcome is next to its bar').toContainText('No keeper yet')
  await expectNoViolations(page, 'a trace')
  await page.getByRole('button', { name: 'Run again with changes' }).click()
  await expect(page.getByRole('dialog').getByLabel('Purpose')).toBeVisible()
  await expectNoViolations(page, 'running the agent again')
  await page.goto(`/studio/kip/logs?run=${firstRunId}&with=${secondRunId}`)
  await expect(page.getByText('Differences')).toBeVisible()
  await expectNoViolations(page, 'two runs')
  await page.setViewportSize({ width: 320, height: 700 })
  await expectNoViolations(page, 'two runs on a phone')
  await page.goto(`/studio/kip/logs?run=${firstRunId}`)
  await expect(tool).toBeVisible()
  await expectNoViolations(page, 'a trace on a phone')
  await page.keyboard.press('?')
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible()
  await expectNoViolations(page, 'the list of shortcuts')
})
