import { randomUUID } from 'node:crypto'
import type { Keeper } from '#contract/keepers/keepers.ts'
import type { Reflection } from '#contract/keepers/reflections.ts'
import { cast } from '../cast.ts'
import { expect, getConversation, leaveMomentBox, registerAndSignIn, test } from './fixtures.ts'
import { expectAnnounced, jumpTo, press, tabTo, type } from './keyboard.ts'

/**
 * The ten main tasks of docs/accessibility.md by keyboard, with screen reader announcements. The fifth, creating and
 * running an agent, is in studio-by-keyboard.spec.ts.
 */
test.use({
  contextOptions: { reducedMotion: 'reduce' },
  providerBehavior: {
    answer: () => Array.from({ length: 60 }, (_, index) => `step${index + 1}`).join(' '),
    wordDelayMs: 60,
  },
})

const keeperInput = { title: 'The Harbour Year', purpose: 'Keep it.', keeperType: 'journal', memoryPattern: 'sole' }

test('1. a person signs up and writes the first moment @long', async ({ page }) => {
  await page.goto('/register')
  const submitButton = page.locator('form').getByRole('button', { name: 'Begin' })
  await press(page, submitButton)
  const email = page.getByLabel('Email')
  await expect(email, 'the first invalid field has the focus').toBeFocused()
  await expect(email).toHaveAccessibleDescription(/\S/)
  await expect(email).toHaveAttribute('aria-invalid', 'true')
  await tabTo(page, page.getByLabel('Name'), 'Shift+Tab')
  await page.keyboard.type(cast.ada.name)
  await type(page, email, cast.ada.email)
  await type(page, page.getByLabel('Password', { exact: true }), cast.ada.password)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/root$/)
  await expect(page).toHaveTitle('Root Dashboard · Keeper')
  await expect(page.getByRole('textbox', { name: 'What is worth keeping from today?' })).toBeFocused()
  await page.keyboard.type('Eleven cormorants.')
  await page.keyboard.press('Control+Enter')
  await expectAnnounced(page, 'Saved in My keeper.')
  await expect(page.getByRole('button', { name: 'Ask Kip about it' })).toBeFocused()
})

test('2. a reflection is saved, and an older one promoted @long', async ({ page, keeper }) => {
  const { token } = await registerAndSignIn(page, keeper, 'ada')
  const { id } = await keeper.callApi<Keeper>('/api/keeper/keepers', keeperInput, { token })
  const restedReflection = { topic: 'The gate', content: 'The gate does not shut.', createdAt: '2026-01-05T08:00:00Z' }
  await keeper.callApi<Reflection>(`/api/keeper/keepers/${id}/reflections`, restedReflection, { token })
  await page.goto(`/keeper/${id}/reflection-journal`)
  await type(page, page.getByRole('textbox', { name: 'Reflection', exact: true }), 'Frost on the ladder.')
  await page.keyboard.press('Control+Enter')
  await expectAnnounced(page, /^Saved /)
  await tabTo(page, page.getByRole('tab', { name: 'Write Reflection' }), 'Shift+Tab')
  await page.keyboard.press('End')
  const suggested = page.getByRole('tab', { name: /Suggested Promotions/ })
  await expect(suggested).toBeFocused()
  await expect(suggested).toHaveAttribute('aria-selected', 'true')
  await press(page, page.getByRole('button', { name: 'Keep', exact: true }))
  await expectAnnounced(page, 'Kept as a memory card')
  await expect(page.locator('main :focus'), 'the focus stays').toHaveCount(1)
})

test('3. part of a memory draft is approved @long', async ({ page, keeper }) => {
  const { token } = await registerAndSignIn(page, keeper, 'ada')
  const { id } = await keeper.callApi<Keeper>('/api/keeper/keepers', keeperInput, { token })
  await keeper.callApi(`/api/keeper/keepers/${id}/sole/draft`, { content: 'I live in Bergen. I sing.' }, { token })
  await page.goto(`/keeper/${id}/memory`)
  const draft = page.getByRole('region', { name: 'Pending draft' })
  await expect(draft).toMatchAriaSnapshot(`
    - list "Statements of the draft":
      - listitem:
        - checkbox /I live in Bergen/
  `)
  await press(page, draft.getByRole('checkbox').first(), 'Space')
  await press(page, draft.getByRole('button', { name: /^Approve 1 of 2/ }))
  await expect(page.getByRole('list', { name: 'Approved statements' })).toContainText('I sing.')
  await expect(page.locator('main :focus'), 'the focus is in the page').toHaveCount(1)
})

test('4. cards are searched @long', async ({ page, keeper }) => {
  const { token } = await registerAndSignIn(page, keeper, 'ada')
  const { id } = await keeper.callApi<Keeper>('/api/keeper/keepers', keeperInput, { token })
  for (const content of ['The gate does not shut.', 'Per moved to Bergen.']) {
    const reflection = { id: randomUUID().replaceAll('-', ''), content }
    await keeper.callApi(`/api/keeper/keepers/${id}/reflections`, reflection, { token })
    await keeper.callApi(`/api/keeper/reflections/${reflection.id}/promote`, {}, { token })
  }
  await page.goto(`/keeper/${id}/memory-cards`)
  await expect(page.getByRole('article')).toHaveCount(2)
  await page.keyboard.press('/')
  await expect(page.getByRole('searchbox', { name: 'Search by words and by meaning' })).toBeFocused()
  await page.keyboard.type('Bergen')
  await expectAnnounced(page, '1 card matches, best first.')
  await expect(page.getByRole('article')).toHaveCount(1)
})

test('6. a person chats with Kip and stops the answer @long', async ({ page, keeper }) => {
  await registerAndSignIn(page, keeper, 'ada', { path: '/kip' })
  await expect(page.getByRole('textbox', { name: 'Write to Kip' })).toBeFocused()
  await page.keyboard.type('Tell me all sixty')
  await page.keyboard.press('Enter')
  await expect(getConversation(page)).toContainText('step5')
  await press(page, page.getByRole('button', { name: 'Stop' }))
  await expect(getConversation(page).getByText('Stopped', { exact: true })).toBeVisible()
  await expectAnnounced(page, 'Stopped.')
  await expect(page.getByRole('textbox', { name: 'Write to Kip' }), 'writing can continue').toBeFocused()
})

test('7. a board is created, and a frame moved on it @long', async ({ page, keeper }) => {
  await registerAndSignIn(page, keeper, 'ada', { path: '/root' })
  await leaveMomentBox(page)
  await page.keyboard.press('g')
  await page.keyboard.press('b')
  await expect(page.getByText('No Board Selected')).toBeVisible()
  await press(page, page.getByRole('button', { name: 'Create New Board', exact: true }))
  const frame = page.getByRole('region', { name: 'Cover', exact: true })
  await expect(frame).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'Board name' })).toBeFocused()
  await page.keyboard.type('The quay')
  await page.keyboard.press('Enter')
  await tabTo(page, page.getByRole('region', { name: 'Board canvas' }))
  const liveRegion = page.locator('[data-canvas-live]')
  await page.keyboard.press('Tab')
  await expect(page.locator('.react-flow__node', { has: frame })).toBeFocused()
  await page.keyboard.press('ArrowRight')
  await expect(liveRegion).toHaveText(/^Cover moved to \d+, \d+$/)
  await page.keyboard.press('Control+s')
  await expect(page.getByText('Unsaved changes', { exact: true })).not.toBeAttached()
  await page.keyboard.press('Escape')
  for (let presses = 0; presses < 60; presses++) {
    await page.keyboard.press('Tab')
    if (await page.evaluate(() => !document.activeElement?.closest('.react-flow,[aria-label="Board canvas"]'))) return
  }
  throw new Error('Tab never leaves the canvas')
})

test('8. a person is invited @long', async ({ page, keeper }) => {
  await registerAndSignIn(page, keeper, 'ada', { path: '/root/domain' })
  const opener = page.getByRole('button', { name: 'Invite people' })
  await press(page, opener)
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByLabel('Email addresses')).toBeFocused()
  await page.keyboard.type('nobody')
  await page.keyboard.press('Enter')
  await press(page, dialog.getByRole('button', { name: 'Invite', exact: true }))
  await expectAnnounced(page, 'nobody: This isn’t an email address.')
  await expect(dialog.getByLabel('Email addresses')).toBeFocused()
  await page.keyboard.press('Backspace')
  await page.keyboard.type('ben@willowbrook.example')
  await page.keyboard.press('Enter')
  await press(page, dialog.getByRole('button', { name: 'Invite', exact: true }))
  await expect(dialog.getByRole('heading', { name: /invited/ })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(opener, 'Escape returns').toBeFocused()
})

test('9. a document is uploaded, read and deleted @long', async ({ page, keeper }) => {
  await registerAndSignIn(page, keeper, 'ada', { path: '/library' })
  const browse = page.getByRole('button', { name: 'Browse' })
  for (const name of ['tides.txt', 'choir.txt']) {
    const choosing = page.waitForEvent('filechooser')
    await tabTo(page, browse, name === 'tides.txt' ? 'Tab' : 'Shift+Tab')
    await page.keyboard.press('Enter')
    await (await choosing).setFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(`What ${name} says.`) })
    await expect(page.getByRole('article', { name })).toBeVisible()
  }
  await expectAnnounced(page, /choir\.txt|uploaded|document/i)
  const view = page.getByRole('button', { name: 'View tides.txt' })
  await press(page, view)
  const dialog = page.getByRole('dialog', { name: 'tides.txt' })
  await expect(dialog).toContainText('What tides.txt says.')
  await page.keyboard.press('Escape')
  await expect(view).toBeFocused()
  await press(page, page.getByRole('button', { name: 'Delete tides.txt' }))
  const question = page.getByRole('alertdialog')
  await expect(question.getByRole('button', { name: 'Cancel' }), 'Enter loses nothing').toBeFocused()
  await press(page, question.getByRole('button', { name: /^Delete/ }))
  await expect(page.getByRole('article', { name: 'tides.txt' })).toHaveCount(0)
  await expect.poll(() => page.evaluate(() => document.activeElement?.closest('main') !== null)).toBe(true)
})

test('10. a theme is applied, and diagnostics are run @long', async ({ page, keeper }) => {
  await registerAndSignIn(page, keeper, 'ada', { path: '/root' })
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await jumpTo(page, 'theme library')
  await expect(page.getByRole('heading', { level: 1, name: 'Theme Library' })).toBeFocused()
  await press(page, page.getByRole('button', { name: 'Use Ocean Calm' }))
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'ocean-calm')
  await expect(page.getByRole('button', { name: 'Ocean Calm is in use' })).toBeFocused()
  await page.goto('/debug')
  await press(page, page.getByRole('button', { name: 'Run all checks and copy report' }))
  await expectAnnounced(page, /checks? /)
  await expect(page.getByRole('list', { name: 'Checks' })).toBeVisible()
})
