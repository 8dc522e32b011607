import type { Page } from '@playwright/test'
import type { Board, BoardInList, Frame } from '#contract/boards/boards.ts'
import {
  getBoardId,
  getBoardName,
  getNameBox,
  getRow,
  openNewBoard,
  openStudio,
  renameBoard,
  studioPath,
} from './board-studio-page.ts'
import { expectNoViolations } from './expect-no-violations.ts'
import { expect, test } from './fixtures.ts'
import { getButton, getFrame, getUnsavedNote } from './locators.ts'
import { countStoredEntries } from './stored-entries.ts'

const countDrafts = (page: Page) => countStoredEntries(page, 'drafts')

test('a board is created right away, filled, named and there after a reload', async ({ page, keeper }) => {
  const { callApi } = await openStudio(page, keeper)
  await expect(getButton(page, 'Save')).toBeDisabled()
  await getButton(page, 'Add Media Card').click()
  await expect(page.getByRole('alertdialog')).toContainText('Please select a board first')
  await getButton(page, 'OK').click()
  await page.keyboard.press('Control+s')
  expect(await callApi<BoardInList[]>('/api/board-data')).toEqual([])

  await getButton(page, 'How to Use Board Studio').click()
  const help = page.getByRole('dialog', { name: 'How to Use Board Studio' })
  for (const group of ['Interaction', 'Content', 'Configuration', 'Visualization'])
    await expect(help.getByRole('heading', { name: group })).toBeVisible()
  await expectNoViolations(page, 'help')
  await help.getByRole('button', { name: 'Got it!' }).click()
  await expect(help).toHaveCount(0)
  await expect(getButton(page, 'How to Use Board Studio')).toBeFocused()

  await getButton(page, 'Create New Board').click()
  await expect(getFrame(page, 'Cover')).toBeVisible()
  await expect(getNameBox(page)).toBeFocused()
  expect(await page.evaluate(() => String(getSelection())), 'typing replaces the name').toBe('New Board')
  await page.keyboard.press('Enter')
  await expect(getBoardName(page)).toHaveText('New Board')
  await expect(getUnsavedNote(page), 'an unchanged name is no change').not.toBeAttached()
  const fetchBoard = () => callApi<Board>(`/api/board-data/${getBoardId(page)}`)
  const createdBoard = await fetchBoard()
  expect(createdBoard).toMatchObject({ name: 'New Board', description: 'A new custom board', type: 'custom_board' })
  expect(createdBoard.engagementMode).toBe('dialogic')
  await expect(getRow(page, 'New Board')).toHaveText(/Custom board, 2 frames/)

  const entry = page.locator('[data-frame-type="process_frame"]')
  const canvas = page.getByRole('tabpanel')
  const [from, to] = [await entry.boundingBox(), await canvas.boundingBox()]
  if (!from || !to) throw new Error('One of the frames is not visible')
  await page.mouse.move(from.x + 60, from.y + 20)
  await page.mouse.down()
  await page.mouse.move(to.x + 300, to.y + 420, { steps: 8 })
  await page.mouse.up()
  await expect(getFrame(page, 'Process Frame')).toBeVisible()
  await expect(getUnsavedNote(page)).toBeAttached()
  await expect(getRow(page, 'New Board')).toHaveText(/3 frames/)

  await renameBoard(page, 'The Harbour Year')
  await getButton(page, 'Save').click()
  await expect(getUnsavedNote(page)).not.toBeAttached()
  const savedBoard = await fetchBoard()
  expect(savedBoard.name).toBe('The Harbour Year')
  expect(savedBoard.frames.map(({ data }) => data.frameType)).toEqual(['media_card', 'config_panel', 'process_frame'])
  const { x, y } = savedBoard.frames[2]?.data.position ?? { x: 1, y: 1 }
  expect([x % 20, y % 20].map(Math.abs)).toEqual([0, 0])

  await page.reload()
  await expect(getBoardName(page)).toHaveText('The Harbour Year')
  await expect(getFrame(page, 'Process Frame')).toBeVisible()
  await expect(getUnsavedNote(page)).not.toBeAttached()
})

test('unsaved board changes survive a reload and can be discarded @long', async ({ page, keeper }) => {
  const { fetchBoard } = await openNewBoard(page, keeper)
  await renameBoard(page, 'Half a thought')
  await expect(getUnsavedNote(page)).toBeAttached()
  await expect.poll(() => countDrafts(page)).toBe(1)
  await page.reload()
  await expect(page.getByText('Your unsaved changes were restored.')).toBeVisible()
  await expect(getBoardName(page)).toHaveText('Half a thought')
  expect((await fetchBoard()).name, 'a reload saves nothing').toBe('New Board')
  // Shortcuts work only once the canvas has loaded.
  await expect(page.getByRole('region', { name: 'Cover', exact: true })).toBeVisible()

  await getButton(page, 'Discard').click()
  await expect(getBoardName(page)).toHaveText('New Board')
  await expect(page.getByText('Your unsaved changes were restored.')).toHaveCount(0)
  await page.keyboard.press('Control+z')
  await expect(getBoardName(page)).toHaveText('Half a thought')
  await page.keyboard.press('Control+Shift+z')
  await expect(getBoardName(page)).toHaveText('New Board')
  await expect.poll(() => countDrafts(page)).toBe(0)
  await page.reload()
  await expect(getBoardName(page)).toHaveText('New Board')
  await expect(page.getByText('Your unsaved changes were restored.')).toHaveCount(0)

  await getButton(page, 'Properties panel').click()
  const panel = page.getByRole('complementary', { name: 'Settings' })
  for (const title of ['Board Information', 'Theme', 'Getting Started'])
    await expect(panel.getByRole('heading', { name: title })).toBeVisible()
  await panel.getByLabel('Description').fill('Spring to first ice')
  const primary = panel.getByRole('textbox', { name: 'Primary color', exact: true })
  await primary.fill('#12345')
  await expect(panel.getByText('Enter a color as 7 characters, like #334155.')).toBeVisible()
  await primary.fill('#123456')
  await expect(panel.getByText('Enter a color as 7 characters, like #334155.')).toHaveCount(0)
  await panel.getByRole('textbox', { name: 'Background color', exact: true }).fill('red;}')
  await panel.getByLabel('Name', { exact: true }).fill('')
  await getButton(page, 'Engagement mode: dialogic').click()
  await expect(page.getByRole('menuitemcheckbox')).toHaveText(['dialogic', 'wizard', 'canvas', 'focus'])
  await page.getByRole('menuitemcheckbox', { name: 'focus' }).click()
  await page.keyboard.press('Control+s')
  await expect(getUnsavedNote(page)).not.toBeAttached()
  expect((await fetchBoard()).config).toMatchObject({
    name: 'Untitled Board',
    description: 'Spring to first ice',
    engagementMode: 'focus',
    theme: { primaryColor: '#123456', backgroundColor: '#E2E8F0' },
  })
  await expect(getRow(page, 'Untitled Board')).toBeVisible()
  await getButton(page, 'Properties panel').click()
  await expect(page.getByRole('region', { name: 'Frame Library' })).toBeVisible()
})

test('the second of two saving tabs merges changes and resolves conflicts @long', async ({ page, keeper, watch }) => {
  watch.expectLine(/status of 409|ERR_FAILED|ERR_ABORTED/)
  const { callApi, id, fetchBoard } = await openNewBoard(page, keeper)
  const otherTab = await page.context().newPage()
  await watch.watchPage(otherTab)
  // Without live events the tab stays outdated, as if it had slept.
  for (const tab of [page, otherTab]) {
    await tab.route(/\/api\/(events|boards\/[^/]+\/(presence|changes))/, (route) => route.abort())
  }
  await page.reload()
  await otherTab.goto(`${studioPath}?board=${id}`)
  await expect(getFrame(otherTab, 'Cover')).toBeVisible()
  await expect(getFrame(page, 'Cover')).toBeVisible()
  // The other page also can't refresh when it becomes visible.
  await otherTab.route(/\/api\/board-data\//, (route) => route.abort())

  // The page renames the board and a frame; the other tab renames the board, adds a frame and deletes that one.
  await renameBoard(otherTab, 'His')
  await otherTab.locator('[data-frame-type="code_snippet"]').click()
  await expect(getFrame(otherTab, 'Code Snippet')).toBeVisible()
  await getFrame(otherTab, 'Cover').locator('[data-frame-head]').click()
  await otherTab.keyboard.press('Delete')
  await expect(getFrame(otherTab, 'Cover')).toHaveCount(0)

  await renameBoard(page, 'Hers')
  await getButton(page, 'Save').click()
  await expect.poll(async () => (await fetchBoard()).name).toBe('Hers')
  const renameFrame = (boardFrame: Frame, name: string) => ({ ...boardFrame, data: { ...boardFrame.data, name } })
  const frames = (await fetchBoard()).frames.map((boardFrame, index) =>
    index === 0 ? renameFrame(boardFrame, 'Theirs') : boardFrame,
  )
  await callApi(`/api/boards/${id}`, { frames }, 'PATCH')

  await getButton(otherTab, 'Save').click()
  const dialog = otherTab.getByRole('dialog')
  await expect(dialog).toContainText('This board was saved elsewhere while you were editing')
  await expect(dialog).toContainText('The board: changed name of the board.')
  await expect(dialog).toContainText('“Theirs”: you deleted it, they changed it')
  await expect(dialog).toContainText('2 conflicts to decide')
  expect((await fetchBoard()).name, 'nothing is overwritten before a decision').toBe('Hers')
  await expectNoViolations(otherTab, 'the conflict')
  const save = dialog.getByRole('button', { name: 'Save My Choices' })
  await expect(save).toBeDisabled()

  await dialog.getByRole('button', { name: 'Decide Later' }).click()
  await expect(otherTab.getByText(/was saved elsewhere while you were editing/)).toBeVisible()
  await otherTab.keyboard.press('Control+s')
  const nameChoice = dialog.getByRole('radiogroup', { name: 'Version to keep: The name of the board' })
  await dialog.getByRole('button', { name: 'All Theirs' }).click()
  await nameChoice.getByText('Mine').click()
  await save.click()
  await expect(getUnsavedNote(otherTab)).not.toBeAttached()
  await expect(getBoardName(otherTab)).toHaveText('His')
  await expect(getFrame(otherTab, 'Theirs')).toBeVisible()
  const mergedBoard = await fetchBoard()
  expect(mergedBoard.name).toBe('His')
  expect(mergedBoard.frames.map(({ data }) => data.name).sort()).toEqual(['Code Snippet', 'Settings', 'Theirs'])
})

test('a board is created, filled, renamed, viewed and saved by keyboard @long', async ({ page, keeper }) => {
  const canvas = Promise.withResolvers<void>()
  await page.route(/board-canvas-[^/]*\.js/, async (route) => {
    await canvas.promise
    await route.continue()
  })
  await openStudio(page, keeper)
  await page.keyboard.press('n')
  await expect(getNameBox(page)).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(getBoardName(page)).toHaveText('New Board')
  await getButton(page, 'Add Dialog Frame').focus()
  await page.keyboard.press('Enter')
  canvas.resolve()
  await expect(getFrame(page, 'Dialog Frame'), 'added before the canvas loaded').toBeVisible()
  await getBoardName(page).focus()
  await page.keyboard.press('Enter')
  await page.keyboard.type('By keys')
  await page.keyboard.press('Enter')
  await expect(getBoardName(page)).toHaveText('By keys')
  await page.getByRole('tab', { name: 'Edit' }).focus()
  await page.keyboard.press('End')
  await expect(page.getByRole('tab', { name: 'AI assist' })).toBeFocused()
  await expect(page).toHaveURL(/tab=assist/)
  await page.keyboard.press('ArrowLeft')
  await expect(page.getByRole('region', { name: 'By keys, preview' })).toBeVisible()
  await page.keyboard.press('Control+s')
  await expect(getUnsavedNote(page)).not.toBeAttached()
  await page.keyboard.press('Home')
  await expect(page.getByRole('tab', { name: 'Edit' })).toHaveAttribute('aria-selected', 'true')
})

test('the studio has no WCAG violations, with and without a board @long', async ({ page, keeper }) => {
  test.slow()
  await openStudio(page, keeper)
  await expectNoViolations(page, 'no board')
  await getButton(page, 'Create New Board').click()
  await expect(getFrame(page, 'Cover')).toBeVisible()
  await expectNoViolations(page, 'a board')
  for (const tab of ['Layout', 'Preview', 'AI assist']) {
    await page.getByRole('tab', { name: tab }).click()
    await expectNoViolations(page, tab)
  }
  await page.getByRole('tab', { name: 'Edit' }).click()
  await getButton(page, 'Properties panel').click()
  await expectNoViolations(page, 'settings')
  await page.setViewportSize({ width: 390, height: 844 })
  await expectNoViolations(page, 'on a phone')
  await getButton(page, 'Frame Library').click()
  await expectNoViolations(page, 'the library as a sheet')
  await getButton(page, 'Add Code Snippet').click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(getFrame(page, 'Code Snippet')).toBeVisible()
  await getButton(page, 'Boards').click()
  await expect(getRow(page, 'New Board')).toBeVisible()
  await expectNoViolations(page, 'the boards as a menu')
  await page.keyboard.press('Escape')
  await page.setViewportSize({ width: 320, height: 640 })
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320)
})
