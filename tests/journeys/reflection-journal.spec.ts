import type { Page } from '@playwright/test'
import type { Keeper } from '#contract/keepers/keepers.ts'
import type { MemoryCard } from '#contract/keepers/memory-cards.ts'
import type { Reflection } from '#contract/keepers/reflections.ts'
import type { BuiltKeeper } from './built-keeper.ts'
import { expectNoViolations } from './expect-no-violations.ts'
import { expect, registerAndSignIn, test } from './fixtures.ts'
import { getReflectionBox } from './locators.ts'

const hourMs = 60 * 60 * 1000
const getTopic = (page: Page) => page.getByRole('combobox', { name: 'Topic' })
const getSaveButton = (page: Page) => page.getByRole('button', { name: /^Save/ })
const getTab = (page: Page, name: RegExp) => page.getByRole('tab', { name })

interface ReflectionInput {
  topic?: string
  content: string
  hoursAgo?: number
}

/** Opens the journal of a new keeper of Ada's with these reflections. */
async function openJournal(page: Page, builtKeeper: BuiltKeeper, inputs: ReflectionInput[] = []) {
  const { token } = await registerAndSignIn(page, builtKeeper, 'ada')
  const keeperInput = { title: 'The Harbour Year', purpose: 'p', keeperType: 'journal', memoryPattern: 'sole' }
  const keeper = await builtKeeper.callApi<Keeper>('/api/keeper/keepers', keeperInput, { token })
  const path = `/api/keeper/keepers/${keeper.id}`
  const reflections: Reflection[] = []
  for (const { hoursAgo = 0, ...fields } of inputs) {
    const createdAt = new Date(Date.now() - hoursAgo * hourMs).toISOString()
    reflections.push(await builtKeeper.callApi<Reflection>(`${path}/reflections`, { ...fields, createdAt }, { token }))
  }
  const journal = `/keeper/${keeper.id}/reflection-journal`
  await page.goto(journal)
  return {
    journal,
    reflections,
    keeper,
    listReflections: () => builtKeeper.callApi<Reflection[]>(`${path}/reflections`, undefined, { token }),
    listCards: () => builtKeeper.callApi<MemoryCard[]>(`${path}/memory-cards`, undefined, { token }),
  }
}

test('an interrupted reflection is restored and saved by keyboard', async ({ page, keeper }) => {
  const { listReflections } = await openJournal(page, keeper, [{ topic: 'Choir', content: 'We sang.', hoursAgo: 48 }])
  await expect(getSaveButton(page)).toBeDisabled()
  await getReflectionBox(page).fill('  \n ')
  await expect(getSaveButton(page), 'whitespace counts as empty').toBeDisabled()

  const content = '# The quay\n\nPer told me *between* one bun and the next.\n\t- a tab, kept'
  await getTopic(page).fill('Choir')
  await expect(page.getByText('We sang.')).toBeVisible()
  await getReflectionBox(page).fill(content)
  await expect(page.getByText('14 words')).toBeVisible()
  await expect(page.getByText(/^Draft saved /)).toBeVisible()
  await page.waitForTimeout(600)
  await page.reload()
  await expect(getReflectionBox(page)).toHaveValue(content)
  await expect(getTopic(page)).toHaveValue('Choir')
  await getReflectionBox(page).press('Control+Enter')
  await expect(page.getByRole('status').filter({ hasText: /^Saved / })).toBeVisible()
  await expect(getReflectionBox(page)).toHaveValue('')
  await expect(getReflectionBox(page), 'ready for the next one').toBeFocused()
  await expect(page.getByRole('tabpanel').getByText('Choir', { exact: true })).toBeVisible()
  expect((await listReflections()).map(({ content }) => content)).toEqual([content, 'We sang.'])

  await page.getByRole('link', { name: 'Read reflection' }).click()
  await expect(page.getByRole('heading', { name: 'The quay' }).first()).toBeVisible()
  await expect(page.locator('[data-reading] em')).toHaveText('between')
  await page.reload()
  await getTab(page, /Write/).click()
  await expect(getReflectionBox(page), 'a saved text is no longer a draft').toHaveValue('')
})

test("status messages don't move the reflection text on a phone @long", async ({ page, context, keeper, watch }) => {
  watch.expectLine(/ERR_INTERNET_DISCONNECTED|Failed to (load|fetch|create)/)
  await page.setViewportSize({ width: 390, height: 844 })
  await openJournal(page, keeper)
  await expect(getReflectionBox(page)).toBeEditable()
  const foot = page.locator('[data-writing] > div').last()
  const measureFoot = async () => (await foot.boundingBox())?.height
  const emptyHeight = await measureFoot()
  await getReflectionBox(page).fill('Fog.')
  const status = page.locator('[data-writing]').getByRole('status')
  await expect(status).toHaveText(/^Draft saved /)
  expect(await measureFoot(), 'with text').toBe(emptyHeight)
  await getReflectionBox(page).press('Control+Enter')
  await expect(status).toHaveText(/^Saved /)
  expect(await measureFoot(), 'saved').toBe(emptyHeight)
  await getReflectionBox(page).fill('Fog again, and again.')
  const measureTop = async () =>
    ((await getReflectionBox(page).boundingBox())?.y ?? 0) -
    ((await page.locator('[data-writing]').boundingBox())?.y ?? 0)
  const top = await measureTop()
  await context.setOffline(true)
  await getReflectionBox(page).press('Control+Enter')
  await expect(status).toHaveText(/^Saved in this browser\./)
  expect(await measureTop(), 'saved in this browser').toBe(top)
})

const longText = 'harbour lamp '.repeat(10_500)

test('the word count and Save stay in sight in a very long reflection @long', async ({ page, keeper }) => {
  await openJournal(page, keeper)
  for (const [width, height] of [
    [1440, 900],
    [390, 844],
    [390, 420],
  ] as const) {
    await page.setViewportSize({ width, height })
    await getReflectionBox(page).fill(longText)
    await expect(page.getByText('21,000 words')).toBeInViewport()
    for (const share of [0, 0.5, 1]) {
      await getReflectionBox(page).evaluate((element, position) => {
        const area = element as HTMLTextAreaElement
        area.setSelectionRange(area.value.length * position, area.value.length * position)
      }, share)
      await page.keyboard.type('a')
      await expect(page.getByText(/^21,00\d words/), `at ${share} of ${width}`).toBeInViewport({ ratio: 1 })
      await expect(getSaveButton(page), `at ${share} of ${width}`).toBeInViewport({ ratio: 1 })
      const footTop = (await page.locator('[data-writing] > div').last().boundingBox())?.y ?? 0
      const paperTop = (await getReflectionBox(page).boundingBox())?.y ?? 0
      expect(footTop - paperTop, 'lines of text are in sight').toBeGreaterThan(60)
    }
  }
  await page.setViewportSize({ width: 1440, height: 900 })
  await getReflectionBox(page).fill('The ferry is late.')
  await expect(page.getByText('4 words')).toBeVisible()
  await expect(getSaveButton(page)).toBeInViewport({ ratio: 1 })
  await page.waitForTimeout(600)
  await page.reload()
  await expect(getReflectionBox(page)).toHaveValue('The ferry is late.')
})

test('a long reflection keeps a key typed in the frame of leaving or saving @long', async ({ page, keeper }) => {
  const { listReflections } = await openJournal(page, keeper)
  await getReflectionBox(page).fill(longText)
  await expect(page.getByText('21,000 words')).toBeVisible()
  await page.waitForTimeout(600)
  await Promise.all([
    page.waitForEvent('load'),
    getReflectionBox(page).evaluate((area: HTMLTextAreaElement) => {
      area.setSelectionRange(0, 0)
      document.execCommand('insertText', false, 'Left. ')
      location.reload()
    }),
  ])
  await expect(getReflectionBox(page)).toHaveValue(`Left. ${longText}`)
  await expect(page.getByText('21,001 words')).toBeVisible()
  await getReflectionBox(page).evaluate((area: HTMLTextAreaElement) => {
    area.focus()
    area.setSelectionRange(0, 0)
    document.execCommand('insertText', false, 'Saved. ')
    area.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', ctrlKey: true, bubbles: true, cancelable: true }))
  })
  await expect(getReflectionBox(page)).toHaveValue('')
  expect((await listReflections())[0]?.content).toBe(`Saved. Left. ${longText}`)
})

test('the foot of a growing reflection covers no line that is written @long', async ({ page, keeper }) => {
  await openJournal(page, keeper)
  for (const [width, height] of [
    [1440, 900],
    [390, 420],
  ] as const) {
    await page.setViewportSize({ width, height })
    await getReflectionBox(page).fill('harbour lamp\n'.repeat(100))
    await getReflectionBox(page).press('Control+End')
    await page.keyboard.type('The last line.')
    const foot = (await page.locator('[data-writing] > div').last().boundingBox()) ?? { y: 0, height: 0 }
    const end = (await getReflectionBox(page).boundingBox()) ?? { y: 0, height: 0 }
    expect(foot.y + foot.height, 'the foot is in sight').toBeLessThanOrEqual(height)
    const paddingBottom = 26
    expect(end.y + end.height - paddingBottom, 'the last line is above it').toBeLessThanOrEqual(foot.y + 8)
  }
})

test('edits are saved after a pause, and history restores earlier text @long', async ({ page, keeper }) => {
  const { journal, reflections, listReflections } = await openJournal(page, keeper, [
    { content: 'The gate shuts.', topic: 'Garden' },
  ])
  await page.goto(`${journal}?reflection=${reflections[0]?.id}`)
  await page.getByRole('link', { name: 'Edit' }).click()
  await expect(getReflectionBox(page)).toHaveValue('The gate shuts.')
  await getReflectionBox(page).fill('The gate does not shut any more.')
  await expect(page.getByText(/^Draft saved /)).toBeVisible()
  await expect(page.getByRole('status').filter({ hasText: /^Saved / })).toBeVisible()
  expect((await listReflections())[0]).toMatchObject({
    content: 'The gate does not shut any more.',
    topic: 'Garden',
    rev: 2,
  })

  await getReflectionBox(page).press('End')
  await page.keyboard.type(' I know it.')
  await page.waitForTimeout(600)
  await page.reload()
  await expect(getReflectionBox(page)).toHaveValue('The gate does not shut any more. I know it.')
  await expect
    .poll(async () => (await listReflections())[0]?.content)
    .toBe('The gate does not shut any more. I know it.')

  await page.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('button', { name: 'History' }).click()
  await expect(page.getByRole('dialog')).toContainText('The gate shuts.')
  await expectNoViolations(page, 'the history')
  await page.getByRole('dialog').getByRole('button', { name: 'Restore' }).click()
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(page.locator('[data-reading]')).toHaveText('The gate shuts.')
  expect((await listReflections())[0]).toMatchObject({ content: 'The gate shuts.', topic: 'Garden' })
})

test('leaving during a save keeps everything written so far @long', async ({ page, keeper }) => {
  const { journal, reflections, listReflections } = await openJournal(page, keeper, [{ content: 'The gate shuts.' }])
  await page.goto(`${journal}?tab=write&reflection=${reflections[0]?.id}`)
  await expect(getReflectionBox(page)).toHaveValue('The gate shuts.')
  let release = () => {}
  const revisions: (string | null)[] = []
  await page.route('**/api/keeper/reflections/*', async (route) => {
    if (route.request().method() === 'GET') return route.continue()
    revisions.push(await route.request().headerValue('if-match'))
    if (revisions.length === 1)
      await new Promise<void>((resolve) => {
        release = resolve
      })
    await route.continue()
  })
  await Promise.all([
    page.waitForRequest((request) => request.method() !== 'GET' && request.url().includes('/reflections/')),
    getReflectionBox(page).fill('The gate sings.'),
  ])
  const saveButton = page.getByRole('button', { name: /^Save/ })
  await expect(saveButton, 'until it is saved').toHaveAttribute('aria-disabled', 'true')
  await getReflectionBox(page).fill('The gate sings, and so do I.')
  await expect(saveButton).toBeEnabled()
  await page.getByRole('link', { name: 'Keepers', exact: true }).click()
  await expect(getReflectionBox(page)).toHaveCount(0)
  release()
  await expect.poll(async () => (await listReflections())[0]?.content).toBe('The gate sings, and so do I.')
  expect(revisions).toEqual(['1', '2'])
})

test('two tabs editing one reflection show both texts and keep the choice', async ({
  page,
  context,
  keeper,
  watch,
}) => {
  watch.expectLine(/status of 409|Failed to update reflection/)
  const { journal, reflections, listReflections } = await openJournal(page, keeper, [{ content: 'The gate shuts.' }])
  const address = `${journal}?tab=write&reflection=${reflections[0]?.id}`
  const otherPage = await context.newPage()
  await watch.watchPage(otherPage)
  await Promise.all([page.goto(address), otherPage.goto(address)])
  await expect(getReflectionBox(page)).toHaveValue('The gate shuts.')
  await expect(getReflectionBox(otherPage)).toHaveValue('The gate shuts.')
  await Promise.all([
    getReflectionBox(page).fill('The gate sings.'),
    getReflectionBox(otherPage).fill('The gate weeps.'),
  ])
  const getSavedStatus = (tab: Page) => tab.getByRole('status').filter({ hasText: /^Saved / })
  await expect
    .poll(async () => (await page.getByRole('dialog').count()) + (await otherPage.getByRole('dialog').count()))
    .toBe(1)
  const conflictedTab = (await page.getByRole('dialog').count()) === 1 ? page : otherPage
  const [ownVerb, otherVerb] = conflictedTab === page ? ['sings', 'weeps'] : ['weeps', 'sings']
  await expect(getSavedStatus(conflictedTab === page ? otherPage : page)).toBeVisible()
  expect((await listReflections())[0]?.content).toBe(`The gate ${otherVerb}.`)
  await expect(conflictedTab.getByRole('dialog')).toContainText('The gate sings.')
  await expect(conflictedTab.getByRole('dialog')).toContainText('The gate weeps.')
  await expectNoViolations(conflictedTab, 'the conflict')
  await conflictedTab.getByRole('button', { name: 'Decide later' }).click()
  await expect(getReflectionBox(conflictedTab), 'nothing typed is lost').toHaveValue(`The gate ${ownVerb}.`)
  await conflictedTab.getByRole('button', { name: 'Compare' }).click()
  await conflictedTab.getByRole('button', { name: 'Keep mine' }).click()
  await expect(conflictedTab.getByRole('dialog')).toBeHidden()
  await expect.poll(async () => (await listReflections())[0]?.content).toBe(`The gate ${ownVerb}.`)
  await expect(getReflectionBox(conflictedTab === page ? otherPage : page)).toHaveValue(`The gate ${ownVerb}.`)
})

test('rested reflections are suggested, kept and locked, or left @long', async ({ page, keeper }) => {
  const { reflections, journal, listCards } = await openJournal(page, keeper, [
    { topic: 'The door', content: 'She waved at the bend.', hoursAgo: 50 },
    { topic: 'Choir', content: 'Nobody came in early.', hoursAgo: 25 },
    { topic: 'Today', content: 'Too young.', hoursAgo: 23 },
  ])
  await expect(getTab(page, /Suggested Promotions\s*2/)).toBeVisible()
  await getTab(page, /Suggested/).click()
  const items = page.getByRole('tabpanel').getByRole('listitem')
  await expect(items).toHaveCount(2)
  await expect(items.first()).toContainText('The door')
  await expectNoViolations(page, 'the suggestions')
  await items.first().getByRole('button', { name: 'Keep', exact: true }).click()
  await expect(items.first()).toContainText('Kept as a memory card')
  await expect(getTab(page, /Suggested Promotions\s*1/)).toBeVisible()
  await items.nth(1).getByRole('button', { name: 'Let it rest' }).click()
  await expect(getTab(page, /Suggested Promotions\s*0/)).toBeVisible()
  expect((await listCards()).map(({ content }) => content)).toEqual(['She waved at the bend.'])

  await page.getByRole('link', { name: 'The door' }).click()
  await expect(page.getByText('This reflection is locked because you kept it as a memory card.')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Edit' })).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Keep', exact: true })).toHaveCount(0)
  await page.goto(`${journal}?tab=write&reflection=${reflections[0]?.id}`)
  await expect(page.getByText('This reflection is locked')).toBeVisible()
  await page.goto(`${journal}?reflection=${reflections[1]?.id}`)
  await expect(page.getByRole('button', { name: 'Keep', exact: true }), 'it can still be kept').toBeVisible()
})

test('suggestions are kept and left to rest by key, after a countdown @long', async ({ page, keeper }) => {
  const { journal, listCards } = await openJournal(page, keeper, [
    { topic: 'The door', content: 'She waved at the bend.', hoursAgo: 50 },
    { topic: 'Choir', content: 'Nobody came in early.', hoursAgo: 40 },
    { topic: 'Garden', content: 'The gate does not shut.', hoursAgo: 30 },
  ])
  await page.goto(`${journal}?tab=suggested`)
  const items = page.getByRole('tabpanel').getByRole('listitem')
  const getLink = (name: string) => page.getByRole('link', { name, exact: true })
  await expect(items).toHaveCount(3)
  await page.keyboard.press('p')
  await expect(page.getByRole('button', { name: 'Undo' }), 'without a focused one nothing starts').toHaveCount(0)
  await page.keyboard.press('j')
  await expect(getLink('The door')).toBeFocused()
  await page.keyboard.press('p')
  await expect(items.nth(0)).toContainText('Keeping in')
  await expect(getLink('Choir'), 'it moves on').toBeFocused()
  await page.keyboard.press('r')
  await expect(items.nth(1)).toContainText('Letting it rest in')
  await expect(getLink('Garden')).toBeFocused()
  await page.keyboard.press('p')
  await page.keyboard.press('u')
  await expect(getLink('Garden'), 'the last one is undone').toBeFocused()
  await expect(items.nth(2).getByRole('button', { name: 'Keep', exact: true })).toBeVisible()
  await expectNoViolations(page, 'a countdown')
  await expect(items.nth(0)).toContainText('Kept as a memory card')
  await expect(getLink('Choir')).toHaveCount(0)
  await expect(getTab(page, /Suggested Promotions\s*1/)).toBeVisible()
  expect((await listCards()).map(({ content }) => content)).toEqual(['She waved at the bend.'])

  await getLink('Garden').focus()
  await page.keyboard.press('r')
  await getTab(page, /Write/).click()
  await expect(getTab(page, /Suggested Promotions\s*0/), 'leaving ends the countdown').toBeVisible()
})

test('focus mode works by keyboard and hides everything else @long', async ({ page, keeper }) => {
  await openJournal(page, keeper)
  await getReflectionBox(page).focus()
  await page.keyboard.type('The first.')
  await page.keyboard.press('Enter')
  await page.keyboard.type('The second.')
  const button = page.getByRole('button', { name: 'Focus' })
  await page.keyboard.press('Tab')
  await expect(button).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(getReflectionBox(page)).toBeFocused()
  await expect(page.getByRole('navigation', { name: 'Breadcrumbs' })).toBeHidden()
  await expect(getTab(page, /Write/)).toBeHidden()
  const current = page.locator('[data-paragraph]')
  await expect(current).toHaveText('The second.')
  await page.keyboard.press('ArrowUp')
  await expect(current).toHaveText('The first.')
  const caretLine = 0.45 * (page.viewportSize()?.height ?? 0)
  const expectCaretLine = () =>
    expect.poll(async () => Math.abs(((await current.boundingBox())?.y ?? 0) - caretLine)).toBeLessThan(12)
  await expectCaretLine()
  await page.keyboard.press('ArrowDown')
  await expect(current).toHaveText('The second.')
  await expectCaretLine()
  await expect(getSaveButton(page)).toBeInViewport({ ratio: 1 })
  await page.keyboard.press('Control+z')
  await expect(getReflectionBox(page), 'undo is the native one').not.toHaveValue('The first.\nThe second.')
  await page.keyboard.press('Control+Shift+z')
  await expect(getReflectionBox(page)).toHaveValue('The first.\nThe second.')
  await page.waitForTimeout(600)

  await page.reload()
  await getReflectionBox(page).focus()
  await expect(getTab(page, /Write/), 'the choice is remembered').toBeHidden()
  await page.keyboard.press('Escape')
  await expect(getTab(page, /Write/)).toBeVisible()
  await expect(getReflectionBox(page)).toHaveValue('The first.\nThe second.')
  await expect(page.locator('[data-paragraph]')).toHaveCount(0)
})

test('focus mode finds the paragraph in a text with line endings of Windows', async ({ page, keeper }) => {
  const lines = Array.from({ length: 30 }, (_, index) => `Line ${index + 1}`)
  const { journal, reflections } = await openJournal(page, keeper, [{ content: lines.join('\r\n') }])
  await page.goto(`${journal}?tab=write&reflection=${reflections[0]?.id}`)
  await getReflectionBox(page).focus()
  await page.keyboard.press('Control+End')
  await page.getByRole('button', { name: 'Focus' }).click()
  await expect(page.locator('[data-paragraph]')).toHaveText('Line 30')
})

test('reflections are searched, deleted, restored and printed @long', async ({ page, keeper }) => {
  const { journal, reflections } = await openJournal(page, keeper, [
    { topic: 'Garden', content: 'The gate does not shut.', hoursAgo: 30 },
    { topic: 'Choir', content: 'The **tenors** came in early.', hoursAgo: 20 },
  ])
  await getTab(page, /All/).click()
  const listedReflections = page.getByRole('tabpanel').getByRole('listitem')
  await expect(listedReflections).toHaveCount(2)
  await page.getByRole('searchbox').fill('gate')
  await expect(listedReflections).toHaveCount(1)
  await page.getByRole('searchbox').fill('%')
  await expect(page.getByText('No reflections found')).toBeVisible()
  await page.getByRole('searchbox').fill('')
  await page.getByRole('combobox', { name: 'Topic' }).selectOption('Choir')
  await expect(listedReflections).toHaveCount(1)
  await listedReflections.getByRole('link', { name: 'Choir' }).click()
  await page.getByRole('button', { name: 'Delete' }).dblclick()
  await expect(page.getByText('Reflection deleted')).toBeVisible()
  await expect(listedReflections).toHaveCount(1)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(listedReflections).toHaveCount(2)

  await page.goto(`${journal}?reflection=${reflections[1]?.id}`)
  await expect(page.locator('[data-reading] strong')).toHaveText('tenors')
  await page.emulateMedia({ media: 'print' })
  const sheet = page.locator('[data-printed]')
  await expect(sheet).toHaveCount(1)
  await expect(sheet.getByRole('heading', { name: 'Choir' })).toBeVisible()
  await expect(sheet).toContainText('· The Harbour Year')
  await expect(sheet.locator('strong')).toHaveText('tenors')
  for (const chrome of [page.getByRole('banner'), page.getByRole('tablist'), page.locator('[data-reading]')])
    await expect(chrome).toBeHidden()
  await page.screenshot({ path: test.info().outputPath('printed.png') })
  await page.emulateMedia({ media: 'screen' })

  await page.evaluate(() => {
    window.print = () => {
      document.title = `printed ${[...document.querySelectorAll('[data-printed] h2')].map(({ textContent }) => textContent)}`
    }
  })
  await page.getByRole('link', { name: 'All reflections' }).click()
  await page.getByRole('button', { name: 'Print…' }).click()
  await expectNoViolations(page, 'the print preview')
  await page.getByRole('dialog').getByRole('button', { name: 'Print' }).click()
  await expect(page, 'oldest first').toHaveTitle('printed Garden,Choir')
})

test('an offline reflection waits in the browser and is sent once', async ({ page, keeper, watch }) => {
  watch.expectLine(/ERR_CONNECTION|Failed to (load|fetch)|ERR_EMPTY|ERR_INCOMPLETE|net::/)
  const { listReflections } = await openJournal(page, keeper)
  await getReflectionBox(page).fill('Written while the ferry was away.')
  await page.route('**/api/**', (route) => route.abort('connectionrefused'))
  await getSaveButton(page).click()
  await expect(page.getByText(/^Saved in this browser/)).toBeVisible()
  await getTab(page, /All/).click()
  const unsentRegion = page.getByRole('region', { name: 'Waiting to be sent' })
  await expect(unsentRegion).toContainText('Written while the ferry was away.')
  await unsentRegion.getByRole('link').click()
  await expect(page.locator('[data-reading]')).toContainText('Written while the ferry was away.')
  await page.unroute('**/api/**')
  await expect
    .poll(async () => (await listReflections()).map(({ content }) => content), { timeout: 30_000 })
    .toEqual(['Written while the ferry was away.'])
  await page.getByRole('link', { name: 'All reflections' }).click()
  await expect(unsentRegion).toHaveCount(0)
  await expect(page.getByRole('tabpanel').getByRole('listitem')).toHaveCount(1)
})

test('samples change nothing, and unknown keepers are explained @long', async ({ page, keeper, watch }) => {
  watch.expectLine(/status of 40[14]|Failed to (load|create)/)
  const { token } = await registerAndSignIn(page, keeper, 'ada')
  const apiRequests: string[] = []
  page.on('request', (request) => request.url().includes('/api/keeper/') && apiRequests.push(request.url()))
  for (const id of ['demo', 'demo-sole-keeper']) {
    await page.goto(`/keeper/${id}/reflection-journal`)
    await expect(getTab(page, /Suggested Promotions\s*3/)).toBeVisible()
    await getReflectionBox(page).fill('Only here.')
    await getReflectionBox(page).press('Control+Enter')
    await getTab(page, /All/).click()
    await expect(page.getByText('Only here.')).toBeVisible()
    await page.reload()
    await expect(page.getByText('nobody coming in early')).toBeVisible()
    await expect(page.getByText('Only here.')).toHaveCount(0)
  }
  expect(apiRequests).toEqual([])

  await page.goto(`/keeper/${'0'.repeat(32)}/reflection-journal`)
  await expect(page.getByText('Invalid keeper ID provided.')).toBeVisible()

  await page.goto('/keeper/demo/reflection-journal')
  await expect(getReflectionBox(page)).toBeVisible()
  await keeper.callApi('/api/kam/auth/logout', {}, { token })
  await page.evaluate(() => fetch('/ping'))
  await expect(page.getByText('Please log in to access the reflection journal.')).toBeVisible({ timeout: 40_000 })
})

test('the journal has no WCAG violations and fits a phone @long', async ({ page, keeper }) => {
  test.slow()
  await page.emulateMedia({ reducedMotion: 'reduce' })
  const { journal, reflections } = await openJournal(page, keeper, [
    {
      topic: 'A topic that is as long as a topic may ever be, which is eighty characters long.',
      content: 'x'.repeat(400),
      hoursAgo: 30,
    },
  ])
  await getReflectionBox(page).fill('One paragraph.\nAnother one.')
  for (const view of ['?tab=write', '?tab=all', '?tab=suggested', `?reflection=${reflections[0]?.id}`]) {
    await page.goto(journal + view)
    await expect(page.getByRole('tabpanel').locator('textarea, li, [data-reading]').first()).toBeVisible()
    for (const [width, height] of [
      [1440, 900],
      [390, 844],
      [320, 640],
    ] as const) {
      await page.setViewportSize({ width, height })
      await expect
        .poll(() => page.evaluate(() => document.documentElement.scrollWidth - innerWidth), `${view} at ${width}`)
        .toBeLessThanOrEqual(0)
      if (width !== 320) await expectNoViolations(page, `${view} at ${width}`)
    }
  }
  await page.goto(`${journal}?tab=write`)
  await page.getByRole('button', { name: 'Focus' }).click()
  await expectNoViolations(page, 'focus')
})
