import type { Locator, Page } from '@playwright/test'
import type { Journey, Path } from '#contract/keepers/journeys.ts'
import { arrive, expect, test } from './fixtures.ts'
import { expectNoBreach } from './no-breach.ts'
import { adaWithKeeper, chooseFrom } from './on-the-road.ts'

async function addWaypoint(page: Page, path: Locator, title: string, more: { note?: string; due?: string } = {}) {
  await path.getByRole('button', { name: 'Add waypoint' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Title').fill(title)
  if (more.due) await dialog.getByLabel('Due').fill(more.due)
  if (more.note) {
    await dialog.getByLabel('Note').fill(more.note)
    await page.keyboard.press('Control+Enter')
  } else await dialog.getByRole('button', { name: 'Add waypoint' }).click()
  await expect(dialog).toHaveCount(0)
  await expect(path.getByRole('heading', { name: title })).toBeVisible()
}

test('a journey is started, told as a story and completed with a reflection', async ({ page, keeper }) => {
  test.slow()
  const { callApi, id, createMoment } = await adaWithKeeper(page, keeper)
  await page.goto(`/keeper/${id}/journeys`)
  await expect(page.getByText('No journeys yet')).toBeVisible()
  await page.getByRole('button', { name: 'New journey' }).click()
  await page.getByRole('button', { name: 'Start journey' }).click()
  await expect(page.getByText('Enter a title.')).toBeVisible()
  await page.getByLabel('Title').fill('The crossing')
  await page.getByLabel('Purpose').fill('To see the outer island.')
  await page.getByRole('button', { name: 'Start journey' }).click()
  const road = page.getByRole('article', { name: 'The crossing' })
  await expect(road.getByText('To see the outer island.')).toBeVisible()

  const [journey] = await callApi<Journey[]>(`/keepers/${id}/journeys`)
  await createMoment('Dust to the elbows', { journeyId: journey?.id })
  await createMoment('She floats', { journeyId: journey?.id, occurredAt: '2026-04-19T12:00:00Z' })
  const path = road.getByRole('group', { name: 'The way so far' })
  await addWaypoint(page, path, 'Harbour', { note: 'Three weekends.' })
  await addWaypoint(page, path, 'Island', { due: '2027-06-21' })
  await expect(path.getByText('Due Jun 21, 2027')).toBeVisible()

  const beads = road.getByRole('list', { name: 'Moments on this journey' }).getByRole('button')
  await expect(beads).toHaveCount(2)
  await expect(beads.first()).toHaveAccessibleName('Mar 8, 2026: Dust to the elbows')
  const harbour = path.getByRole('listitem').filter({ has: page.getByRole('heading', { name: 'Harbour' }) })
  await beads.first().dragTo(harbour)
  await expect(harbour.getByRole('button', { name: 'Mar 8, 2026: Dust to the elbows' })).toBeVisible()

  await beads.nth(1).focus()
  await page.keyboard.press('Enter')
  await page.keyboard.press('i')
  await page.keyboard.press('Enter')
  const island = path.getByRole('listitem').filter({ has: page.getByRole('heading', { name: 'Island' }) })
  await expect(island.getByRole('button', { name: 'Apr 19, 2026: She floats' })).toBeVisible()
  await island.getByRole('button', { name: 'Apr 19, 2026: She floats' }).dragTo(harbour)
  await expect(harbour.getByRole('list', { name: 'Moments at Harbour' }).getByRole('listitem')).toHaveCount(2)
  await expect(island.getByRole('button', { name: 'Apr 19, 2026: She floats' })).toHaveCount(0)

  await chooseFrom(page, 'More for Island', 'Choose moments')
  const picker = page.getByRole('dialog', { name: 'Moments at Island' })
  await picker.getByRole('searchbox').fill('zzz')
  await expect(picker.getByText('No moments match.')).toBeVisible()
  await picker.getByRole('searchbox').fill('she floats '.repeat(20))
  await expect(picker.getByRole('checkbox')).toHaveAccessibleName('Apr 19, 2026: She floats')
  await picker.getByRole('button', { name: 'Done' }).click()

  await harbour.getByRole('checkbox', { name: 'Harbour reached' }).check()
  await expect(harbour.getByText(/Reached \w{3} \d+, \d{4}/)).toBeVisible()
  await chooseFrom(page, 'More for Island', 'Move up')
  await expect(path.getByRole('heading', { level: 4 })).toHaveText(['Island', 'Harbour'])
  await chooseFrom(page, 'More for Island', 'Remove waypoint')
  await expect(path.getByRole('heading', { level: 4 })).toHaveText(['Harbour'])
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(path.getByRole('heading', { level: 4 })).toHaveText(['Island', 'Harbour'])
  await chooseFrom(page, 'More for Harbour', 'Remove waypoint')
  await chooseFrom(page, 'More for The way so far', 'Earlier versions')
  const removed = page.getByRole('dialog').getByRole('listitem').filter({ hasText: 'Three weekends.' })
  await removed.first().getByRole('button', { name: 'Restore this version' }).click()
  await expect(path.getByRole('heading', { level: 4 }), 'long after Undo disappeared').toHaveText(['Island', 'Harbour'])
  await expect(harbour.getByRole('list', { name: 'Moments at Harbour' }).getByRole('listitem')).toHaveCount(2)

  await road.getByRole('button', { name: 'Add a path' }).click()
  await page.getByRole('dialog').getByLabel('Title').fill('By land')
  await page.getByRole('dialog').getByRole('button', { name: 'Add path' }).click()
  const land = road.getByRole('group', { name: 'By land' })
  await addWaypoint(page, land, 'The pass')
  await land.getByText('Not taken', { exact: true }).click()
  await expect(land.getByText('Kept as it was imagined')).toBeVisible()
  await expect(land.getByRole('button', { name: 'Add waypoint' })).toHaveCount(0)
  await expect(land.getByRole('checkbox')).toHaveCount(0)

  await page.reload()
  await road.getByRole('link', { name: 'Write the story' }).click()
  const story = page.getByRole('article', { name: 'The story of The crossing' })
  // The page has its own h1 and h2.
  const chapters = ['The crossing', 'The way so far', 'Open', 'Not taken']
  await expect(story.getByRole('heading', { level: 3 })).toHaveText(chapters)
  await expect(story).toContainText('She floats, in full.')
  await expect(story).toContainText('The pass')
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'HTML' }).click()
  expect((await download).suggestedFilename()).toBe('the-crossing.html')
  await page.getByRole('link', { name: 'Back to the journey' }).click()

  await road.getByRole('button', { name: 'Complete', exact: true }).click()
  await expect(page.getByRole('checkbox', { name: 'Start a closing reflection' })).toBeChecked()
  await page.getByRole('button', { name: 'Complete journey' }).click()
  await expect(page).toHaveURL(/reflection-journal\?tab=write&reflection=[0-9a-f]{32}$/)
  const [written] = await callApi<{ content: string }[]>(`/keepers/${id}/reflections`)
  expect(written?.content).toContain('> - Harbour · Reached')
  await page.goto(`/keeper/${id}/journeys`)
  await expect(page.getByRole('region', { name: 'Completed' })).toContainText('The crossing')

  await callApi(`/journeys/${journey?.id}`, { purpose: 'To see it again.' }, 'PUT')
  await expect(road.getByText('To see it again.')).toBeVisible()
  await chooseFrom(page, 'More for The crossing', 'Earlier versions')
  const before = page.getByRole('dialog').getByRole('listitem').filter({ hasText: 'To see the outer island.' })
  await before.first().getByRole('button', { name: 'Restore this version' }).click()
  await expect(road.getByText('To see the outer island.')).toBeVisible()

  await chooseFrom(page, 'More for The crossing', 'Delete journey')
  await expect(page.getByText('No journeys yet')).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(road.getByRole('heading', { name: 'By land' })).toBeVisible()
})

test('two tabs editing a path merge waypoints or show both texts', async ({
  page,
  keeper,
  watch,
}) => {
  watch.expectLine(/status of 409/)
  const { callApi, id } = await adaWithKeeper(page, keeper)
  const { id: journeyId } = await callApi<Journey>(`/keepers/${id}/journeys`, { title: 'The crossing' })
  const [path] = await callApi<{ id: string }[]>(`/journeys/${journeyId}/paths`)
  const elsewhere = (waypoints: object[]) => callApi<object>(`/paths/${path?.id}`, { waypoints }, 'PUT')
  const harbour = { id: 'a'.repeat(32), title: 'Harbour', note: 'Cold.' }
  await elsewhere([harbour])
  await page.goto(`/keeper/${id}/journeys?journey=${journeyId}`)
  const branch = page.getByRole('group', { name: 'The way so far' })
  await expect(branch.getByRole('heading', { name: 'Harbour' })).toBeVisible()

  await branch.getByRole('button', { name: 'Add waypoint' }).click()
  await page.getByRole('dialog').getByLabel('Title').fill('Island')
  await elsewhere([harbour, { title: 'Lighthouse' }])
  await page.getByRole('dialog').getByRole('button', { name: 'Add waypoint' }).click()
  await expect(branch.getByRole('heading', { level: 4 })).toHaveText(['Harbour', 'Lighthouse', 'Island'])

  await chooseFrom(page, 'More for Harbour', 'Edit waypoint')
  await page.getByRole('dialog').getByLabel('Note').fill('Warm.')
  await elsewhere([{ ...harbour, note: 'Windy.' }])
  await page.getByRole('dialog').getByRole('button', { name: 'Save waypoint' }).click()
  const both = page.getByRole('dialog').filter({ hasText: 'This waypoint' })
  await expect(both).toContainText('Warm.')
  await expect(both).toContainText('Windy.')
  const kept = await callApi<{ waypoints: { note: string }[] }[]>(`/journeys/${journeyId}/paths`)
  expect(kept[0]?.waypoints[0]?.note, 'nothing was overwritten').toBe('Windy.')
  await elsewhere([{ ...harbour, note: 'Stormy.' }])
  await both.getByRole('button', { name: 'Save' }).click()
  await expect(both.getByRole('alert')).toHaveText('A newer version was saved in the meantime. Compare both again.')
  await expect(both, 'the text saved in the meantime is kept too').toContainText('Stormy.')
  await both.getByRole('button', { name: 'Save' }).click()
  await expect(branch.getByText('Warm.')).toBeVisible()
})

test('offline waypoint edits and additions are all kept', async ({
  page,
  keeper,
  watch,
}) => {
  watch.expectLine(/ERR_CONNECTION|Failed to (load|fetch)/)
  const { callApi, id } = await adaWithKeeper(page, keeper)
  const { id: journeyId } = await callApi<Journey>(`/keepers/${id}/journeys`, { title: 'The crossing' })
  const [path] = await callApi<{ id: string }[]>(`/journeys/${journeyId}/paths`)
  await callApi<object>(`/paths/${path?.id}`, { waypoints: [{ id: 'a'.repeat(32), title: 'Harbour' }] }, 'PUT')
  await page.goto(`/keeper/${id}/journeys?journey=${journeyId}`)
  const branch = page.getByRole('group', { name: 'The way so far' })
  await expect(branch.getByRole('heading', { name: 'Harbour' })).toBeVisible()
  const dialog = page.getByRole('dialog')
  const changeHarbour = async (label: string, words: string) => {
    await chooseFrom(page, 'More for Harbour', 'Edit waypoint')
    await dialog.getByLabel(label).fill(words)
    await dialog.getByRole('button', { name: 'Save waypoint' }).click()
    await expect(dialog).toHaveCount(0)
  }

  await page.route('**/api/**', (route) => route.abort('connectionrefused'))
  await branch.getByRole('checkbox', { name: 'Harbour reached' }).click()
  await expect(branch.getByText(/Reached \w{3} \d+, \d{4}/)).toBeVisible()
  await expect(branch.getByRole('checkbox', { name: 'Harbour reached' })).toBeChecked()
  await changeHarbour('Note', 'Cold, and full of gulls.')
  await expect(branch.getByText('Cold, and full of gulls.')).toBeVisible()
  await changeHarbour('Due', '2027-06-21')
  await addWaypoint(page, branch, 'Island')
  await page.unroute('**/api/**')

  const waypoints = async () => (await callApi<Path[]>(`/journeys/${journeyId}/paths`))[0]?.waypoints
  await expect.poll(async () => (await waypoints())?.length, { timeout: 30_000 }).toBe(2)
  const reached = expect.stringMatching(/^\d{4}-/)
  expect(await waypoints()).toMatchObject([
    { title: 'Harbour', note: 'Cold, and full of gulls.', dueOn: '2027-06-21', doneAt: reached },
    { title: 'Island', doneAt: null },
  ])
})

test('a journey completed and renamed offline is both', async ({ page, keeper, watch }) => {
  watch.expectLine(/ERR_CONNECTION|Failed to (load|fetch)/)
  const { callApi, id } = await adaWithKeeper(page, keeper)
  const { id: journeyId } = await callApi<Journey>(`/keepers/${id}/journeys`, { title: 'The crossing' })
  await page.goto(`/keeper/${id}/journeys?journey=${journeyId}`)
  await expect(page.getByRole('group', { name: 'The way so far' })).toBeVisible()
  await page.route('**/api/**', (route) => route.abort('connectionrefused'))
  await page.getByRole('button', { name: 'Complete', exact: true }).click()
  await page.getByRole('button', { name: 'Complete journey' }).click()
  await chooseFrom(page, 'More for The crossing', 'Edit journey')
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByLabel('Status')).toHaveValue('completed')
  await dialog.getByLabel('Title').fill('The long crossing')
  await dialog.getByRole('button', { name: 'Save journey' }).click()
  await expect(dialog).toHaveCount(0)
  await page.unroute('**/api/**')
  const journey = () => callApi<Journey>(`/journeys/${journeyId}`)
  await expect.poll(async () => (await journey()).title, { timeout: 30_000 }).toBe('The long crossing')
  expect(await journey()).toMatchObject({ status: 'completed' })
})

test("a form can't be changed while saving, and the focus stays", async ({
  page,
  keeper,
  watch,
}) => {
  watch.expectLine(/status of 403/)
  const { id } = await adaWithKeeper(page, keeper)
  await page.goto(`/keeper/${id}/topics`)
  let release = () => {}
  await page.route('**/topics', async (route) => {
    if (route.request().method() !== 'POST') return route.continue()
    await new Promise<void>((resolve) => {
      release = resolve
    })
    await route.fulfill({ status: 403, json: { success: false, error: 'Not now.', code: 'forbidden' } })
  })
  await page.getByRole('button', { name: 'New topic' }).click()
  const dialog = page.getByRole('dialog')
  const name = dialog.getByRole('textbox', { name: 'Name', exact: true })
  await dialog.getByLabel('Other names').fill('Water')
  await dialog.getByLabel('Other names').press('Enter')
  await name.fill('Sea')
  await Promise.all([page.waitForRequest((request) => request.method() === 'POST'), name.press('Enter')])
  await expect(dialog.getByRole('button', { name: 'Saving...' })).toBeVisible()
  await page.keyboard.type(' and sky')
  await dialog.getByRole('button', { name: 'Remove Water' }).click()
  await dialog.getByLabel('Color').selectOption({ label: 'Ochre' })
  await name.focus()
  await expect(name).toHaveValue('Sea')
  await expect(name).not.toBeEditable()
  await expect(dialog.getByRole('button', { name: 'Remove Water' })).toBeVisible()
  await expect(dialog.getByLabel('Color')).toHaveValue('')
  release()
  await expect(dialog.getByText('Not now.')).toBeVisible()
  await expect(name).toBeFocused()
  await page.keyboard.press('End')
  await page.keyboard.type(' and sky')
  await expect(name).toHaveValue('Sea and sky')
})

test('a topic is created and a waypoint reached by keyboard alone @at-length', async ({ page, keeper }) => {
  const { callApi, id } = await adaWithKeeper(page, keeper)
  await callApi<Journey>(`/keepers/${id}/journeys`, { title: 'The crossing' })
  await page.goto(`/keeper/${id}/topics`)
  await page.getByRole('button', { name: 'New topic' }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('textbox', { name: 'Name', exact: true })).toBeFocused()
  await page.keyboard.type('Sea')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('region', { name: 'Topic Sea' })).toBeVisible()

  await page.goto(`/keeper/${id}/journeys`)
  await page.getByRole('button', { name: 'Add waypoint' }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('textbox', { name: 'Title' })).toBeFocused()
  await page.keyboard.type('Harbour')
  await page.keyboard.press('Enter')
  await page.getByRole('checkbox', { name: 'Harbour reached' }).focus()
  await page.keyboard.press('Space')
  await expect(page.getByRole('checkbox', { name: 'Harbour reached' })).toBeChecked()
  const more = page.getByRole('button', { name: 'More for Harbour' })
  await more.focus()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('textbox', { name: 'Title' })).toHaveValue('Harbour')
  await page.keyboard.press('Escape')
  await expect(more).toBeFocused()
  await page.getByRole('radio', { name: 'Taken', exact: true }).focus()
  await page.keyboard.press('ArrowRight')
  await expect(page.getByRole('radio', { name: 'Open', exact: true })).toBeChecked()
})

test('sample journeys fit a phone, change nothing and request nothing @at-length', async ({
  page,
  keeper,
}) => {
  await arrive(page, keeper, 'ada')
  await page.setViewportSize({ width: 390, height: 844 })
  const asked: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (pathname.startsWith('/api/keeper')) asked.push(pathname)
  })
  const fits = () => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)

  await page.goto('/keeper/demo/journeys')
  await page.getByRole('link', { name: /The crossing/ }).click()
  const branch = page.getByRole('group', { name: 'By sea' })
  await expect(branch.getByRole('heading', { name: 'The outer island' })).toBeVisible()
  await branch.getByRole('checkbox', { name: 'The outer island reached' }).click()
  await expect(page.getByText('This is sample data. Nothing here can be changed.')).toBeVisible()
  await expect(branch.getByRole('checkbox', { name: 'The outer island reached' })).not.toBeChecked()
  expect(await fits()).toBe(true)
  await expectNoBreach(page, 'journeys')
  await page.getByRole('link', { name: 'Write the story' }).click()
  await expect(page.getByRole('heading', { name: 'Not taken' })).toBeVisible()
  await expectNoBreach(page, 'story')
  await page.goto('/keeper/demo/topics?topic=sample-topic-boat')
  await expect(page.getByRole('region', { name: 'Topic Boat' })).toContainText('Also called The old lady')
  expect(await fits()).toBe(true)
  await expectNoBreach(page, 'topics')
  expect(asked).toEqual([])
})
