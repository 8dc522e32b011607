import type { Agent } from '#contract/agents/agents.ts'
import { expect, registerAndSignIn, test } from './fixtures.ts'

test('keeper types are assigned to an agent only once the server confirms @long', async ({ page, keeper, watch }) => {
  watch.expectLine(/status of 500/)
  const { token } = await registerAndSignIn(page, keeper, 'ada')
  const agent = await keeper.callApi<Agent>('/api/kip/agents', { name: 'Harbour Guide', purpose: 'Knows.' }, { token })
  await page.goto('/studio/agents?tab=keeper-types')
  await expect(page.getByText('No Agent Selected')).toBeVisible()
  await page.goto(`/studio/agents?tab=keeper-types&agentId=${agent.id}`)
  await expect(page.getByText('No keeper types assigned yet. Click "Assign New" to get started.')).toBeVisible()

  await page.getByRole('button', { name: 'Assign New' }).click()
  const dialog = page.getByRole('dialog')
  const unassigned = dialog.getByRole('list', { name: 'Unassigned keeper types' }).getByRole('listitem')
  await expect(unassigned).toHaveCount(6)
  await dialog.getByRole('button', { name: 'Assign Journal' }).click()
  await expect(unassigned).toHaveCount(5)

  await page.route('**/keeper-types/system-wellness', (route) =>
    route.fulfill({ status: 500, json: { success: false, error: 'The shelf is locked.' } }),
  )
  await dialog.getByRole('button', { name: 'Assign Wellness' }).click()
  await expect(dialog.getByRole('alert')).toHaveText('The shelf is locked.')
  await expect(unassigned, 'it was not assigned, so it stays').toHaveCount(5)
  await page.unroute('**/keeper-types/system-wellness')
  for (const name of ['Project', 'Educational', 'Professional', 'Wellness', 'Custom']) {
    await dialog.getByRole('button', { name: `Assign ${name}` }).click()
    await expect(dialog.getByRole('button', { name: `Assign ${name}` })).toHaveCount(0)
  }
  await expect(dialog).toContainText('All available keeper types have been assigned to this agent.')
  await dialog.getByRole('button', { name: 'Done' }).click()

  const assigned = page.getByRole('list', { name: 'Keeper types of Harbour Guide' }).getByRole('listitem')
  await expect(assigned).toHaveCount(6)
  const journal = assigned.filter({ has: page.getByRole('heading', { name: 'Journal', exact: true }) })
  await expect(journal).toContainText('CRMTimeline')
  await expect(journal).toContainText('System')
  await expect(journal).toContainText('8 templates, 0 active keepers')

  await page.route('**/keeper-types/system-journal', (route) => route.fulfill({ status: 500, body: '' }))
  await page.getByRole('button', { name: 'Unassign Journal' }).click()
  await expect(page.getByText('HTTP error! status: 500')).toBeVisible()
  await expect(assigned).toHaveCount(6)
  await page.unroute('**/keeper-types/system-journal')
  await page.getByRole('button', { name: 'Unassign Journal' }).click()
  await expect(assigned).toHaveCount(5)
  await page.reload()
  await expect(assigned).toHaveCount(5)
})
