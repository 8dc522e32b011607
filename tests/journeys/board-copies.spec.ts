import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import type { Board, BoardInList } from '#contract/boards/boards.ts'
import {
  getBoardId,
  getBoardName,
  getButton,
  getFrame,
  getRow,
  openNewBoard,
  rename,
  unsaved,
} from './board-studio-page.ts'
import { dropNextResponse } from './delayed-posts.ts'
import { expectNoViolations } from './expect-no-violations.ts'
import { expect, test } from './fixtures.ts'

test('versions are viewed and restored, and boards become templates and back @long', async ({ page, keeper }) => {
  const { fetchBoard } = await openNewBoard(page, keeper)
  await rename(page, 'Second')
  await page.keyboard.press('Control+s')
  await expect(unsaved(page)).not.toBeAttached()
  await rename(page, 'Third, not saved')
  await getButton(page, 'More for this board').click()
  await page.getByRole('menuitem', { name: 'Version history' }).click()
  const drawer = page.getByRole('dialog', { name: 'Version history' })
  await drawer.getByRole('button', { name: 'View version 1' }).click()
  await expect(drawer.getByRole('img', { name: /^Version 1: Cover, Settings/ })).toBeVisible()
  await expect(drawer).toContainText('The board: changed name of the board.')
  await expectNoViolations(page, 'the history')
  await drawer.getByRole('button', { name: 'Restore version 1' }).click()
  await expect(drawer).toHaveCount(0)
  await expect(getBoardName(page)).toHaveText('New Board')
  expect((await fetchBoard()).name).toBe('New Board')
  await getButton(page, 'More for this board').click()
  await page.getByRole('menuitem', { name: 'Version history' }).click()
  await expect(drawer).toContainText('Third, not saved')
  await page.keyboard.press('Escape')
  await expect(drawer).toHaveCount(0)

  await getButton(page, 'Add Process Frame').click()
  await expect(getFrame(page, 'Process Frame')).toBeVisible()
  await getButton(page, 'More for this board').click()
  await page.getByRole('menuitem', { name: 'Save as template' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('')
  await dialog.getByRole('button', { name: 'Save Template' }).click()
  await expect(dialog.getByText('Enter a name.')).toBeVisible()
  await dialog.getByLabel('Name').fill('My evening')
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await getButton(page, 'More for this board').click()
  await page.getByRole('menuitem', { name: 'Save as template' }).click()
  await expect(dialog.getByLabel('Name'), 'the typed text is still there').toHaveValue('My evening')
  await expectNoViolations(page, 'saving a template')
  await dialog.getByRole('button', { name: 'Save Template' }).click()
  await expect(dialog).toHaveCount(0)
  const openTemplates = async () => {
    await getButton(page, 'More ways to create a board').click()
    await page.getByRole('menuitem', { name: 'From a template' }).click()
  }
  await openTemplates()
  await expect(dialog.getByText('System', { exact: true })).toHaveCount(5)
  await expectNoViolations(page, 'the templates')
  await dialog.getByRole('button', { name: 'Use My evening' }).click()
  await expect(getBoardName(page)).toHaveText('My evening')
  await expect(getFrame(page, 'Process Frame')).toBeVisible()

  await openTemplates()
  await expect(dialog.getByRole('button', { name: /^Delete template/ })).toHaveCount(1)
  await dialog.getByRole('button', { name: 'Delete template My evening' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete Template' }).click()
  await expect(page.getByRole('alertdialog')).toHaveCount(0)
  await expect(dialog.getByRole('button', { name: 'Use My evening' })).toHaveCount(0)
  await page.keyboard.press('Escape')
  await expect(getRow(page, 'My evening'), 'boards created from it stay').toBeVisible()
})

test('boards are duplicated, renamed, deleted, restored and exported @long', async ({ page, keeper, watch }) => {
  // Leaving a deleted board reports a 404.
  watch.expectLine(/status of 404 .*\/presence\)/)
  const { callApi, id } = await openNewBoard(page, keeper)
  const chooseMenuItem = async (name: string, item: string) => {
    await page.getByRole('button', { name: `More for ${name}`, exact: true }).click()
    await page.getByRole('menuitem', { name: item }).click()
  }
  await getButton(page, 'Add Process Frame').click()
  await expect(unsaved(page)).toBeAttached()
  await chooseMenuItem('New Board', 'Duplicate')
  await expect(getBoardName(page)).toHaveText('New Board copy')
  await expect(getFrame(page, 'Process Frame'), 'the copy matches what was shown').toBeVisible()
  expect(getBoardId(page)).not.toBe(id)

  await chooseMenuItem('New Board', 'Rename')
  await page.getByRole('textbox', { name: 'New name of New Board' }).fill('The first')
  await page.keyboard.press('Enter')
  await expect(getRow(page, 'The first')).toBeVisible()
  expect((await callApi<Board>(`/api/board-data/${id}`)).name).toBe('The first')

  await chooseMenuItem('New Board copy', 'Delete')
  await expect(page.getByText('No Board Selected')).toBeVisible()
  await expect(getRow(page, 'New Board copy')).toHaveCount(0)
  await getButton(page, 'Undo').click()
  await expect(getBoardName(page)).toHaveText('New Board copy')
  await chooseMenuItem('New Board copy', 'Delete')
  await expect(getRow(page, 'New Board copy')).toHaveCount(0)
  await getButton(page, 'More ways to create a board').click()
  await page.getByRole('menuitem', { name: 'Recently deleted' }).click()
  await expectNoViolations(page, 'the trash')
  await getButton(page, 'Restore New Board copy').click()
  await expect(getBoardName(page)).toHaveText('New Board copy')

  await rename(page, 'Quay Choir')
  await getButton(page, 'Export the board').click()
  const download = page.waitForEvent('download')
  await page.getByRole('menuitem', { name: 'Whole board (JSON)' }).click()
  const file = await (await download).path()
  const exportedBoard = JSON.parse(await readFile(file, 'utf8'))
  expect(exportedBoard).toMatchObject({ format: 'keeper-board', manifest: { name: 'Quay Choir', frames: 3 } })

  await page.evaluate(() => {
    window.print = () => document.body.setAttribute('data-printed', document.title)
  })
  await getButton(page, 'Export the board').click()
  await page.getByRole('menuitem', { name: 'Print or PDF, one page per frame' }).click()
  await expect(page.locator('body')).toHaveAttribute('data-printed', 'board-quay-choir')
  const pdf = (await page.pdf()).toString('latin1')
  expect(pdf.match(/\/Type\s*\/Page\b/g), 'one page per frame').toHaveLength(3)
  await expect(page.locator('body > div > img[src^="blob:"]')).toHaveCount(0)

  await getButton(page, 'More ways to create a board').click()
  await page.getByRole('menuitem', { name: 'Import a board' }).click()
  const dialog = page.getByRole('dialog')
  const choose = (name: string, text: string) =>
    dialog.getByLabel('Board file').setInputFiles({ name, mimeType: 'application/json', buffer: Buffer.from(text) })
  // Cancel must abort the pending request.
  await page.route('**/api/boards/import', () => undefined)
  const importRequest = page.waitForRequest('**/api/boards/import')
  await choose('quay.json', JSON.stringify(exportedBoard))
  const abortedRequest = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/api/boards/import'))
  await importRequest
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  expect((await abortedRequest).failure()?.errorText).toBe('net::ERR_ABORTED')
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await getButton(page, 'More ways to create a board').click()
  await page.getByRole('menuitem', { name: 'Import a board' }).click()
  await choose('nothing.json', '')
  await expect(dialog.getByRole('alert')).toContainText('nothing.json is empty.')
  await choose('notes.json', '{"notes": []}')
  await expect(dialog.getByRole('alert')).toContainText('This isn’t a board exported from Keeper.')
  const strange = structuredClone(exportedBoard)
  strange.board.frames[0].data.frameType = 'hologram'
  await choose('strange.json', JSON.stringify(strange))
  await expect(dialog).toContainText('Not supported here: hologram.')
  await choose('board.json', JSON.stringify(exportedBoard))
  await expect(dialog).toContainText('3 frames: Media Card × 1, Config Panel × 1, Process Frame × 1')
  await expectNoViolations(page, 'the import')
  expect(await callApi<BoardInList[]>('/api/board-data'), 'viewing creates nothing').toHaveLength(2)
  await dropNextResponse(page, watch, '**/api/boards/import')
  await dialog.getByRole('button', { name: 'Import Board' }).click()
  await expect(dialog.getByRole('alert')).toBeVisible()
  await dialog.getByRole('button', { name: 'Import Board' }).click()
  await expect(getBoardName(page)).toHaveText('Quay Choir')
  await expect(getFrame(page, 'Settings')).toBeVisible()
  expect(await callApi<BoardInList[]>('/api/board-data')).toHaveLength(3)

  // Larger than one JSON body, so it is uploaded as a file.
  exportedBoard.board.config.name = 'Album'
  for (const id of ['dusk', 'dawn']) {
    const picture = Buffer.alloc(13 * 1024 * 1024, id)
    picture.write('GIF89a')
    const sha256 = createHash('sha256').update(picture).digest('hex')
    exportedBoard.manifest.pictures.push({ id, mime: 'image/gif', bytes: picture.length, sha256 })
    exportedBoard.pictures[id] = picture.toString('base64')
  }
  await getButton(page, 'More ways to create a board').click()
  await page.getByRole('menuitem', { name: 'Import a board' }).click()
  const album = test.info().outputPath('album.json')
  await writeFile(album, JSON.stringify(exportedBoard))
  await dialog.getByLabel('Board file').setInputFiles(album)
  await expect(dialog).toContainText('2 pictures', { timeout: 20_000 })
  await dialog.getByRole('button', { name: 'Import Board' }).click()
  await expect(getBoardName(page)).toHaveText('Album', { timeout: 20_000 })
})
