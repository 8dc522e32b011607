import type { Locator, Page } from '@playwright/test'
import type { Agent } from '#contract/agents/agents.ts'
import { cast } from '../cast.ts'
import { expect, isRegistered, test } from './fixtures.ts'

test.use({ contextOptions: { reducedMotion: 'reduce' } })

/** Presses Tab until it is there, and holds that one sees where one is at every step. */
async function tabTo(page: Page, wanted: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  await expect(wanted).toBeVisible()
  for (let presses = 0; presses < 120; presses++) {
    if (await wanted.evaluate((element) => element === document.activeElement)) return
    await page.keyboard.press(key)
    expect.soft(await page.evaluate(unseenFocus), 'has the focus and does not show it').toBeUndefined()
  }
  await expect(wanted, 'reached with Tab').toBeFocused()
}

/** The element in focus when neither it nor the box that stands for it is outlined or has a halo. */
function unseenFocus(): string | undefined {
  const focused = document.activeElement
  if (!focused || focused === document.body) return undefined
  // A page that has just come puts the focus on its title, which no key leads to.
  if (focused.matches('h1[tabindex="-1"]')) return undefined
  const outlined = (element: Element, part?: string) => {
    const { outlineStyle, outlineWidth } = getComputedStyle(element, part)
    return outlineStyle !== 'none' && Number.parseFloat(outlineWidth) > 0
  }
  const boxes = [focused, focused.parentElement, focused.nextElementSibling, focused.closest('article')]
  const seen = boxes.some((box) => box && (outlined(box) || outlined(box, '::after')))
  const halo = [focused, focused.parentElement].some((box) => box && getComputedStyle(box).boxShadow !== 'none')
  return seen || halo ? undefined : focused.outerHTML.slice(0, 200)
}

async function press(page: Page, wanted: Locator, key = 'Enter'): Promise<void> {
  await tabTo(page, wanted)
  await page.keyboard.press(key)
}

test('Ada works in the studio with the keyboard alone, from signing in to her figures', async ({ page, keeper }) => {
  test.slow()
  await isRegistered(keeper, 'ben')
  const { token } = await isRegistered(keeper, 'ada')
  const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true })
  const name = page.getByRole('textbox', { name: 'Name', exact: true })
  const purpose = page.getByRole('textbox', { name: 'Purpose', exact: true })
  const card = page.getByRole('article').getByRole('link', { name: 'Harbour Guide', exact: true })

  await page.goto('/login')
  await tabTo(page, page.getByLabel('E-mail'))
  await page.keyboard.type(cast.ada.email)
  await tabTo(page, page.getByLabel('Password', { exact: true }))
  await page.keyboard.type(cast.ada.password)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/root$/)

  await test.step('she makes an agent', async () => {
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await page.keyboard.press('g')
    await page.keyboard.press('a')
    await expect(page.getByRole('link', { name: 'Kip', exact: true })).toBeVisible()
    await page.keyboard.press('n')
    await expect(page).toHaveURL(/tab=agent/)
    await tabTo(page, name)
    await page.keyboard.type('Harbour Guide')
    await tabTo(page, purpose)
    await page.keyboard.type('Knows the new harbour, never a jest.')
    await expect(purpose, 'single keys are letters while typing').toHaveValue('Knows the new harbour, never a jest.')
    const visibility = page.getByRole('combobox', { name: /^Visibility/ })
    await tabTo(page, visibility)
    await page.keyboard.type('shared')
    await expect(visibility).toHaveValue('shared')
    await tabTo(page, button('Create Agent'), 'Shift+Tab')
    await page.keyboard.press('Enter')
    await expect(page.getByText('Created Harbour Guide.')).toBeVisible()
  })

  await test.step('she finds it with J and K, and runs it with R', async () => {
    await expect(card).toBeVisible()
    const cards = page.locator('main').getByRole('article').getByRole('link')
    await page.keyboard.press('j')
    await expect(cards.first()).toBeFocused()
    await page.keyboard.press('j')
    await expect(cards.nth(1)).toBeFocused()
    await page.keyboard.press('k')
    await expect(cards.first()).toBeFocused()
    await page.keyboard.press('k')
    await expect(cards.first(), 'nothing before the first').toBeFocused()
    await tabTo(page, card)
    await page.keyboard.press('r')
    await expect(page.getByText(/^Agent executed successfully in \d+ms$/)).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(card, 'focus comes back to where it was').toBeFocused()
  })

  await test.step('she reads the trace', async () => {
    await press(page, page.getByRole('link', { name: 'View Logs' }))
    await expect(page.getByRole('heading', { level: 1, name: 'Agent Execution Logs' })).toBeVisible()
    const run = page.getByRole('list', { name: 'Runs' }).getByRole('link', { name: 'Harbour Guide' })
    await expect(run).toBeVisible()
    await page.keyboard.press('j')
    await expect(run).toBeFocused()
    await page.keyboard.press('Enter')
    const steps = page.getByRole('tree', { name: 'Steps of the run' })
    await tabTo(page, steps.getByRole('treeitem').first())
    await page.keyboard.press('ArrowLeft')
    await expect(steps.getByRole('treeitem')).toHaveCount(1)
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('End')
    await expect(steps.getByRole('treeitem').last()).toBeFocused()
    await tabTo(page, page.getByRole('tab', { name: 'Output' }))
    await page.keyboard.press('ArrowLeft')
    await expect(page.getByRole('tab', { name: 'Input' })).toHaveAttribute('aria-selected', 'true')
    await page.keyboard.press('/')
    await expect(page.getByRole('main').getByRole('searchbox')).toBeFocused()
  })

  const agents = await keeper.ask<Agent[]>('/api/kip/agents', undefined, { token })
  const { id } = agents.find((agent) => agent.slug === 'harbour-guide') ?? { id: '' }
  const shown = () => keeper.ask<Agent>(`/api/kip/agents?id=${id}`, undefined, { token })

  await test.step('she shares it', async () => {
    await tabTo(page, page.getByRole('main').getByRole('link', { name: 'Manage Agents' }), 'Shift+Tab')
    await page.keyboard.press('Enter')
    await tabTo(page, card)
    await page.keyboard.press('e')
    await expect(name).toHaveValue('Harbour Guide')
    await tabTo(page, page.getByRole('searchbox', { name: 'Find people by name or e-mail' }))
    await page.keyboard.type('ben')
    await press(page, button('Add Ben Haugen'))
    const edits = page.getByRole('group', { name: 'Rights of Ben Haugen' }).getByRole('checkbox', { name: 'Edit' })
    await expect(edits).toBeEnabled()
    await page.keyboard.press('Shift+Tab')
    await press(page, edits, 'Space')
    await expect(edits).toBeChecked()
  })

  await test.step('she changes it, and restores what it was', async () => {
    await tabTo(page, purpose, 'Shift+Tab')
    await page.keyboard.press('Control+a')
    await page.keyboard.type('Knows the bakery.')
    await page.keyboard.press('Control+Enter')
    await expect(page.getByText('Updated Harbour Guide.')).toBeVisible()
    await tabTo(page, card)
    await page.keyboard.press('Enter')
    await expect(purpose).toHaveValue('Knows the bakery.')
    const opener = button('Versions')
    await tabTo(page, opener)
    await page.keyboard.press('Enter')
    const drawer = page.getByRole('dialog', { name: 'Versions of Harbour Guide' })
    await expect(drawer.getByText('Version 2')).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(opener, 'Escape leads back to the opener').toBeFocused()
    await page.keyboard.press('Enter')
    const restores = drawer.getByRole('button', { name: 'Restore version 1' })
    await press(page, restores)
    await press(page, page.getByRole('alertdialog').getByRole('button', { name: 'Restore', exact: true }))
    await expect(drawer.getByText('Version 1 is saved again.')).toBeVisible()
    await expect(restores, 'and to the button, inside the drawer').toBeFocused()
    await page.keyboard.press('Escape')
    await expect(opener).toBeFocused()
    await expect(purpose).toHaveValue('Knows the new harbour, never a jest.')
    expect((await shown()).rev).toBe(3)
  })

  await test.step('she asks a golden question', async () => {
    const panel = page.getByRole('region', { name: 'Golden questions' })
    const add = panel.getByRole('button', { name: 'Add', exact: true })
    await press(page, add)
    await expect(page.getByRole('textbox', { name: 'Question' })).toBeFocused()
    await page.keyboard.type('Where is it?')
    await tabTo(page, page.getByRole('textbox', { name: 'What the answer must say' }))
    await page.keyboard.type('harbour')
    await press(page, button('Add golden question'))
    await expect(add).toBeFocused()
    await tabTo(page, panel.getByRole('button', { name: 'Run all' }), 'Shift+Tab')
    await page.keyboard.press('Enter')
    await expect(panel.getByText(/^[01] of 1 pass(es)?\./)).toBeVisible()
  })

  await test.step('she reads her usage, and what the keys do', async () => {
    await page.keyboard.press('Control+k')
    await expect(page.getByRole('combobox', { name: 'Search or jump to' })).toBeFocused()
    await page.keyboard.type('personal api keys')
    await page.keyboard.press('Enter')
    const opener = button('Your usage')
    await press(page, opener)
    const dialog = page.getByRole('dialog', { name: 'Your usage' })
    await expect(dialog.getByRole('table', { name: 'Usage by agent' })).toContainText('Harbour Guide')
    await tabTo(page, dialog.getByRole('tab', { name: 'Figures' }))
    await page.keyboard.press('ArrowRight')
    await expect(dialog.getByRole('tab', { name: 'Budgets' })).toHaveAttribute('aria-selected', 'true')
    await expect(dialog.getByText('Your own budget')).toBeVisible()
    await page.keyboard.press('n')
    await expect(dialog, 'single keys are off below a dialog').toBeVisible()
    await page.keyboard.press('Escape')
    await expect(opener).toBeFocused()
    await page.keyboard.press('?')
    const shortcuts = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    for (const does of ['Something new in this list', 'Next in the list', 'Run the agent in focus'])
      await expect(shortcuts.getByText(does)).toBeVisible()
    await press(page, shortcuts.getByRole('switch', { name: 'Single-key shortcuts' }), 'Space')
    await page.keyboard.press('Escape')
    await expect(shortcuts).toBeHidden()
    await page.keyboard.press('?')
    await expect(shortcuts, 'switched off').toBeHidden()
  })
})
