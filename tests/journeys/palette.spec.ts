import type { Page, Route } from '@playwright/test'
import type { Board } from '#contract/boards/boards.ts'
import type { Keeper } from '#contract/keepers/keepers.ts'
import type { BuiltKeeper } from './built-keeper.ts'
import { expect, registerAndSignIn, test } from './fixtures.ts'

const moment = 'The ferry was late, so Per and I ate cardamom buns on the quay.'

/** Creates a keeper with moments and a board for Ada. */
async function createSearchableContent(page: Page, built: BuiltKeeper) {
  const { token } = await registerAndSignIn(page, built, 'ada', { path: '/root' })
  const callApi = <Data>(path: string, body: unknown) => built.callApi<Data>(path, body, { token })
  const keeper = await callApi<Keeper>('/api/keeper/keepers', {
    title: 'The Quay Year',
    purpose: 'p',
    keeperType: 'journal',
  })
  await callApi(`/api/keeper/keepers/${keeper.id}/moments`, { body: moment })
  await callApi(`/api/keeper/keepers/${keeper.id}/moments`, { body: 'Nothing of the kind.' })
  await callApi(`/api/keeper/keepers/${keeper.id}/moments`, {
    body: '# Low light\n\n- over the [har**bour**](https://x.org)',
  })
  const response = await fetch(`${built.url}/api/boards`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Quay plans', description: '' }),
  })
  const board = (await response.json()) as Board
  return { token, keeper, board }
}
const getPalette = (page: Page) => page.getByRole('dialog', { name: 'Search or jump to' })
const getBox = (page: Page) => page.getByRole('combobox', { name: 'Search or jump to' })
const getOption = (page: Page, name: string | RegExp) => getPalette(page).getByRole('option', { name })
async function openPalette(page: Page) {
  await expect(page.locator('#main')).toBeVisible()
  await page.keyboard.press('Control+k')
  await expect(getBox(page)).toBeFocused()
}

test('the palette finds all kinds, marks matches and debounces requests @long', async ({ page, keeper }) => {
  const { keeper: quay, board } = await createSearchableContent(page, keeper)
  const searchRequests: string[] = []
  page.on('request', (request) => request.url().includes('/api/keeper/search') && searchRequests.push(request.url()))
  await page.goto('/library')
  await page
    .locator('input[type=file]')
    .first()
    .setInputFiles({
      name: 'quay-tides.txt',
      mimeType: 'text/plain',
      buffer: Buffer.from('High water at five.'),
    })
  await expect(page.getByText('quay-tides.txt').first()).toBeVisible()
  const search = page.getByRole('searchbox', { name: 'Search documents' })
  await search.fill('high water')
  await expect(page.getByText('High water').first(), 'its text has been read').toBeVisible()
  await search.fill('')

  await openPalette(page)
  await getBox(page).pressSequentially('quay', { delay: 30 })
  await expect(getOption(page, /^The Quay Year/)).toBeVisible()
  await expect(getOption(page, /Quay plans/)).toBeVisible()
  await expect(getOption(page, /quay-tides\.txt/)).toBeVisible()
  await expect(getOption(page, /The ferry was late/)).toContainText('Moment · The Quay Year')
  await expect(getOption(page, /Nothing of the kind/)).toHaveCount(0)
  await expect(getOption(page, /The Quay Year.*Journal/).locator('mark')).toHaveText('Quay')
  await expect(getPalette(page).getByRole('status')).toHaveText('4 results')
  expect(searchRequests.length, 'not one request per letter').toBeLessThan(4)
  expect(searchRequests.at(-1)).toContain('q=quay')
  await expect(getBox(page)).toHaveAttribute('aria-controls', /./)
  await expect(getPalette(page).getByRole('listbox')).toBeVisible()

  await getBox(page).fill('light bour')
  const plain = getOption(page, /^Low light over the harbour/)
  await expect(plain, 'without Markdown syntax').toBeVisible()
  await expect(plain.locator('mark')).toHaveText(['light', 'bour'])

  await getBox(page).fill('high water')
  await expect(getOption(page, /quay-tides\.txt/), 'by its text').toContainText('High water at five.')
  await getBox(page).fill('budget')
  await expect(getOption(page, /Studio Admin/)).toBeVisible()
  await getBox(page).fill('quay plans')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(new RegExp(`/studio/board-studio\\?board=${board.id}`))
  await openPalette(page)
  await getBox(page).fill('ferry')
  await expect(getOption(page, /The ferry was late/)).toBeVisible()
  const [tab] = await Promise.all([page.context().waitForEvent('page'), page.keyboard.press('Control+Enter')])
  await expect(tab).toHaveURL(new RegExp(`/keeper/${quay.id}/moments\\?moment=`))
  await expect(getPalette(page)).toHaveCount(0)
  await expect(page, 'the page stays').toHaveURL(/board-studio/)

  await openPalette(page)
  await getBox(page).fill('chat with kip')
  await expect(getOption(page, /Chat with Kip.*opens in a new tab/)).toBeVisible()
  const [chat] = await Promise.all([page.context().waitForEvent('page'), page.keyboard.press('Enter')])
  await expect(chat, 'like every link to a chat page').toHaveURL(/\/kip$/)
  await expect(page).toHaveURL(/board-studio/)
})

test('a late response to an earlier query is never shown @long', async ({ page, keeper }) => {
  await createSearchableContent(page, keeper)
  const gate = Promise.withResolvers<void>()
  await page.route(/\/api\/keeper\/search\?q=ferry/, async (route) => {
    await gate.promise
    await route.continue().catch(() => {})
  })
  await openPalette(page)
  await getBox(page).fill('ferry')
  await page.waitForRequest(/\/api\/keeper\/search\?q=ferry/)
  await getBox(page).fill('kind')
  await expect(getOption(page, /Nothing of the kind/)).toBeVisible()
  gate.resolve()
  await expect(getOption(page, /Nothing of the kind/)).toBeVisible()
  await expect(getOption(page, /The ferry was late/)).toHaveCount(0)
  await getBox(page).fill('of the zebra')
  await expect(getPalette(page)).toContainText('Nothing matches these words.')
  await expect(getPalette(page).getByRole('status')).toHaveText('No results')
})

test('keys move through the palette, expand groups and restore the focus @long', async ({ page, keeper }) => {
  await createSearchableContent(page, keeper)
  const search = page.getByRole('button', { name: /Search or jump to/ })
  await search.focus()
  await openPalette(page)
  const chosen = getPalette(page).getByRole('option', { selected: true })
  await expect(chosen).toHaveCount(1)
  await page.keyboard.press('End')
  await expect(chosen).toHaveText(/Show \d+ more/)
  await page.keyboard.press('Enter')
  await expect(getOption(page, 'Sign out')).toBeVisible()
  await expect(chosen, 'continues with the first hidden result').toHaveText(/Switch to Architect mode/)
  await page.keyboard.press('ArrowUp')
  await expect(chosen).toHaveText('Upload a document')
  await page.keyboard.press('Home')
  await expect(chosen).toHaveText(/Root Dashboard/)
  await page.keyboard.press('Escape')
  await expect(getPalette(page)).toHaveCount(0)
  await expect(search).toBeFocused()

  await page.goto('/library')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await page.goto('/keeper')
  await openPalette(page)
  await expect(getPalette(page).getByRole('group').first().getByRole('option')).toHaveText([
    /Documents/,
    /Root Dashboard/,
  ])
})

test('the palette runs commands for themes, entries and diagnostics @long', async ({ page, keeper }) => {
  await createSearchableContent(page, keeper)
  const runCommand = async (query: string) => {
    await openPalette(page)
    await getBox(page).fill(query)
    await page.keyboard.press('Enter')
  }
  await runCommand('use theme forest')
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'forest-deep')
  await page.reload()
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(page.locator('html'), 'the server has it').toHaveAttribute('data-theme', 'forest-deep')
  await runCommand('new moment')
  await expect(page.getByRole('textbox', { name: 'What is worth keeping from today?' })).toBeFocused()
  await runCommand('new reflection')
  await expect(page.getByRole('textbox', { name: 'Reflection', exact: true })).toBeVisible()
  await runCommand('new keeper')
  await expect(page).toHaveURL(/\/keeper\/new$/)
  await runCommand('new agent')
  await expect(page.getByRole('textbox', { name: 'Name', exact: false }).first()).toBeVisible()
  await runCommand('new board')
  await expect(page).toHaveURL(/board-studio\?board=\w+/)
  await runCommand('upload a document')
  await expect(page).toHaveURL(/\/library$/)
  await runCommand('dark colors')
  await expect(page.locator('html')).toHaveAttribute('data-mode', 'dark')
  const [download] = await Promise.all([page.waitForEvent('download'), runCommand('export everything')])
  expect(download.suggestedFilename()).toMatch(/\.zip$/)

  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await runCommand('run diagnostics')
  await expect(page).toHaveURL(/\/debug$/)
  await expect(page.getByText('Report copied', { exact: true }), 'the checks ran without another click').toBeVisible({
    timeout: 20_000,
  })
})

test('failed sources can be retried, and stored entries are found offline @long', async ({ page, keeper, watch }) => {
  const { keeper: quay } = await createSearchableContent(page, keeper)
  watch.expectLine(/Failed to load (resource|boards)/)
  const failBoardList = (route: Route) =>
    route.request().method() === 'GET' ? route.fulfill({ status: 500, json: { error: 'No' } }) : route.continue()
  await page.route(/\/api\/board-data(\?|$)/, failBoardList)
  await openPalette(page)
  await getBox(page).fill('quay')
  await expect(getPalette(page)).toContainText('Couldn’t be loaded: Boards')
  await page.unroute(/\/api\/board-data(\?|$)/, failBoardList)
  await getOption(page, 'Try again').click()
  await expect(getOption(page, /Quay plans/)).toBeVisible()
  await expect(getPalette(page)).not.toContainText('Couldn’t be loaded')
  await page.keyboard.press('Escape')

  await page.goto(`/keeper/${quay.id}/moments`)
  await expect(page.getByText(moment)).toBeVisible()
  await page.route('**/api/**', (route) => route.abort('connectionrefused'))
  await openPalette(page)
  await getBox(page).fill('cardamom')
  await expect(getOption(page, /The ferry was late/)).toContainText('Saved in this browser')
  await expect(getPalette(page)).toContainText('The server can’t be reached.')
  await getBox(page).fill('quay year')
  await expect(getOption(page, /The Quay Year/)).toBeVisible()
})
