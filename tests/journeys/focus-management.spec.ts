import type { Page } from '@playwright/test'
import type { Agent } from '#contract/agents/agents.ts'
import type { Keeper } from '#contract/keepers/keepers.ts'
import { createContent, navigateInApp, resolvePath } from './all-routes.ts'
import { expect, registerAndSignIn, test } from './fixtures.ts'
import { press } from './keyboard.ts'

const keeperInput = { title: 'The Harbour Year', purpose: 'Keep it.', keeperType: 'journal', memoryPattern: 'sole' }

/** Buttons that open dialogs, drawers and menus. */
const openers: [address: string, ...names: RegExp[]][] = [
  ['/root/domain', /^Invite people$/],
  ['/studio/agents', /^Import$/, /^Delete/],
  ['/studio/agents?tab=agent&agentId=:agentId', /^Versions$/],
  ['/studio/kip/logs?run=:run', /^Run again with changes$/],
  ['/studio/admin', /^API Usage Analytics/],
  ['/studio/people-board', /^Cleo Aas/],
  ['/keeper', /^Delete/],
  ['/keeper/types', /^New Keeper Type$/],
  ['/keeper/engagement-templates', /^Start Gratitude$/, /^More for Gratitude$/],
  ['/keeper/selected/metadata?id=:id', /^Share with members$/],
  ['/keeper/:id/memory', /^Reject$/],
  ['/keeper/:id/journeys', /^New journey$/, /^Complete$/, /^More for Towards/, /^Add waypoint$/, /^Add a path$/],
  ['/keeper/:id/reflection-journal?tab=all', /^Print/],
  ['/keeper/:id/memory-cards', /^More for the card/],
  ['/keeper/:id/voice-panel', /^Read by/],
  ['/keeper/:id/identity-logbook', /^Rename or merge$/],
  ['/kip', /^Sessions$/],
]

test('overlays take the focus, and Escape returns it to the opener @long', async ({ page, keeper }) => {
  test.slow()
  const pathParams = await createContent(page, keeper)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  for (const [path, ...buttons] of openers) {
    const address = resolvePath(path, pathParams)
    await navigateInApp(page, address)
    // A chat focuses its message box once it is ready.
    if (path === '/kip') await expect(page.getByRole('textbox', { name: 'Write to Kip' })).toBeFocused()
    for (const name of buttons) await expectOpensAndCloses(page, address, name)
  }
  await navigateInApp(page, '/library')
  await expect(page.getByRole('heading', { level: 1, name: 'Documents' })).toBeFocused()
  for (const name of [/^Search or jump to/, /^Domains/, /^DEBUG$/]) await expectOpensAndCloses(page, 'the shell', name)
  await page.setViewportSize({ width: 390, height: 844 })
  await expectOpensAndCloses(page, 'the shell on a phone', /^Menu$/)
})

async function expectOpensAndCloses(page: Page, address: string, name: RegExp) {
  const opener = page.getByRole('button', { name }).first()
  const overlayLabel = `${address}: ${name}`
  await opener.focus()
  await page.keyboard.press('Enter')
  const overlay = page.locator('[role="dialog"], [role="alertdialog"], [role="menu"]').filter({ visible: true }).last()
  await expect(overlay, overlayLabel).toBeVisible()
  await expect
    .poll(() => overlay.evaluate((box) => box.contains(document.activeElement)), {
      message: `${overlayLabel} has the focus`,
    })
    .toBe(true)
  await page.keyboard.press('Escape')
  await expect(overlay, overlayLabel).toBeHidden()
  await expect(opener, `${overlayLabel} has the focus again`).toBeFocused()
}

test('deleting the focused entry focuses the next or previous one @long', async ({ page, keeper }) => {
  const { token } = await registerAndSignIn(page, keeper, 'ada')
  const { id } = await keeper.callApi<Keeper>('/api/keeper/keepers', keeperInput, { token })
  for (const label of ['Sea', 'Bread', 'Song'])
    await keeper.callApi(`/api/keeper/keepers/${id}/voice-entries`, { label, belief: `${label} forgives.` }, { token })
  await page.goto(`/keeper/${id}/voice-panel`)
  const entries = page.getByRole('list', { name: 'Voice entries' }).getByRole('listitem')
  await expect(entries).toHaveCount(3)
  for (const remainingCount of [2, 1]) {
    const deletedHeading = await entries.first().getByRole('heading').textContent()
    const nextHeading = await entries.nth(1).getByRole('heading').textContent()
    await press(page, entries.first().getByRole('button', { name: /^Delete/ }))
    await expect(page.getByRole('button', { name: 'Cancel' }), 'Enter would cancel').toBeFocused()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await expect(entries).toHaveCount(remainingCount)
    await expect
      .poll(() => readFocusedEntry(page), {
        message: `${nextHeading} has the focus after ${deletedHeading} was deleted`,
      })
      .toContain(nextHeading)
  }

  for (const name of ['Lamp Lighter', 'Harbour Guide'])
    await keeper.callApi<Agent>('/api/kip/agents', { name, purpose: 'Lights.' }, { token })
  await page.goto('/studio/agents')
  const card = page.getByRole('article').filter({ hasText: 'Lamp Lighter' })
  await press(page, card.getByRole('button', { name: /^Delete/ }))
  await press(page, page.getByRole('alertdialog').getByRole('button', { name: /^Delete/ }))
  await expect(card).toHaveCount(0)
  await expect.poll(() => readFocusedEntry(page), { message: 'another agent has the focus' }).toMatch(/\S/)
})

/** The text of the focused entry, or empty. */
const readFocusedEntry = (page: Page) =>
  page.evaluate(() => document.activeElement?.closest('[data-item],article,li')?.textContent ?? '')

test('submitting an invalid form focuses and explains the first wrong field @long', async ({ page, keeper }) => {
  const { token } = await registerAndSignIn(page, keeper, 'cleo', { isSuperAdmin: true })
  const { id } = await keeper.callApi<Keeper>('/api/keeper/keepers', keeperInput, { token })
  const forms: [string, RegExp, RegExp][] = [
    [`/keeper/${id}/journeys`, /^New journey$/, /^Start journey$/],
    [`/keeper/${id}/topics`, /^New topic$/, /^Create topic$/],
    ['/admin/domains', /^New domain$/, /^Create domain$/],
    ['/root/domain', /^Invite people$/, /^Invite$/],
  ]
  for (const [address, opener, submit] of forms) {
    await page.goto(address)
    await press(page, page.getByRole('button', { name: opener }).first())
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: submit }).last().focus()
    await page.keyboard.press('Enter')
    const invalidField = page.locator('[aria-invalid="true"]').first()
    await expect(invalidField, address).toBeFocused()
    await expect(invalidField, address).toHaveAccessibleDescription(/\S/)
  }
})
