import type { Page } from '@playwright/test'
import type { Agent } from '#contract/agents/agents.ts'
import { type Board, gridSpacing } from '#contract/boards/boards.ts'
import type { Journey, Path } from '#contract/keepers/journeys.ts'
import type { KeeperType } from '#contract/keepers/keeper-types.ts'
import type { Keeper } from '#contract/keepers/keepers.ts'
import type { Moment } from '#contract/keepers/moments.ts'
import { createApiCaller, createBoardApiCaller } from './api-callers.ts'
import type { BuiltKeeper } from './built-keeper.ts'
import { expectNoViolations } from './expect-no-violations.ts'
import { expect, registerAndSignIn, test } from './fixtures.ts'

const isOnGrid = ({ x, y }: { x: number; y: number }) => x % gridSpacing === 0 && y % gridSpacing === 0

/** Signs Ada in with a journey of three moments and three waypoints, two of them reached. */
async function createJourneyOfAda(page: Page, keeper: BuiltKeeper) {
  const ada = await registerAndSignIn(page, keeper, 'ada')
  const callApi = createApiCaller(keeper, ada)
  const keeperInput = { title: 'The Harbour Year', purpose: 'p', keeperType: 'journal', memoryPattern: 'sole' }
  const { id } = await callApi<Keeper>('/api/keeper/keepers', keeperInput)
  const journey = await callApi<Journey>(`/api/keeper/keepers/${id}/journeys`, {
    title: 'The crossing',
    status: 'active',
    startedOn: '2026-03-01',
  })
  const createMoment = (title: string, localDate: string) =>
    callApi<Moment>(`/api/keeper/keepers/${id}/moments`, {
      title,
      body: `${title}, in full.`,
      localDate,
      journeyId: journey.id,
    })
  const dust = await createMoment('Dust to the elbows', '2026-03-08')
  await createMoment('She floats', '2026-04-19')
  await createMoment('First night aboard', '2026-05-03')
  const [path] = await callApi<Path[]>(`/api/keeper/journeys/${journey.id}/paths`)
  const waypoints = [
    { title: 'The keel is scraped', doneAt: '2026-03-08T12:00:00.000Z', momentIds: [dust.id] },
    { title: 'Back in the water', doneAt: '2026-04-19T12:00:00.000Z' },
    { title: 'The outer island' },
  ]
  await callApi(`/api/keeper/paths/${path?.id}`, { waypoints }, 'PUT')
  const fetchBoard = () =>
    createBoardApiCaller(keeper, ada)('/api/boards/of-entity', { entityType: 'journey', entityId: journey.id })
  return { callApi, keeperId: id, journey, fetchBoard }
}

test('a journey opens as a board and plays in time by keyboard and mouse @long', async ({ page, keeper }) => {
  const { callApi, keeperId, journey } = await createJourneyOfAda(page, keeper)
  await page.goto(`/keeper/${keeperId}/journeys?journey=${journey.id}`)
  await page.getByRole('button', { name: 'More for The crossing' }).click()
  await page.getByRole('menuitem', { name: 'Open as board' }).click()
  await expect(page).toHaveURL(`/studio/journey-board?journeyId=${journey.id}`)

  const moments = page.getByRole('region', { name: 'Moments', exact: true })
  const momentPoints = page.getByRole('list', { name: 'Moments on this journey' }).getByRole('listitem')
  await expect(moments.getByText('First night aboard', { exact: true })).toBeVisible()
  await expect(momentPoints).toHaveCount(3)

  const day = page.getByRole('slider', { name: 'Day' })
  await day.press('Home')
  await expect(day).toHaveAttribute('aria-valuetext', 'Mar 1, 2026: 0 of 3 moments, 0 of 3 waypoints reached')
  await expect(momentPoints).toHaveCount(0)
  await expect(moments.getByText('Dust to the elbows', { exact: true })).toHaveCount(0)
  for (let pressed = 0; pressed < 7; pressed++) await day.press('ArrowRight')
  await expect(day).toHaveAttribute('aria-valuetext', /^Mar 8, 2026: 1 of 3 moments, 1 of 3 waypoints reached/)
  await expect(momentPoints).toHaveCount(1)
  await expect(moments.getByText('Dust to the elbows', { exact: true })).toBeVisible()
  await expect(moments.getByText('She floats', { exact: true })).toHaveCount(0)
  const waypoints = page.getByRole('region', { name: 'Waypoints', exact: true })
  await expect(waypoints.getByText('1 of 3 reached')).toBeVisible()

  await expect(page).toHaveURL(/until=2026-03-08/)
  await page.reload()
  await expect(momentPoints).toHaveCount(1)
  await page.getByRole('button', { name: 'Next event' }).click()
  await expect(momentPoints).toHaveCount(2)
  await day.focus()
  await page.keyboard.press('Space')
  await expect(page.getByRole('button', { name: 'Pause' })).toBeVisible()
  await expect(momentPoints).toHaveCount(3)
  await expect(page.getByRole('button', { name: 'Play' })).toBeVisible()
  await expect(page).not.toHaveURL(/until=/)
  const futureMoment = { title: 'Launched again', body: 'Ahead.', localDate: '2098-05-01', journeyId: journey.id }
  await callApi<Moment>(`/api/keeper/keepers/${keeperId}/moments`, futureMoment)
  await expect(momentPoints, 'at the end of the track new moments appear').toHaveCount(4)
  await expect(day).toHaveValue((await day.getAttribute('max')) ?? '')

  const track = await day.boundingBox()
  if (!track) throw new Error('The track is missing.')
  await page.mouse.move(track.x + track.width - 9, track.y + track.height / 2)
  await page.mouse.down()
  await page.mouse.move(track.x + 2, track.y + track.height / 2, { steps: 6 })
  await page.mouse.up()
  await expect(momentPoints).toHaveCount(0)
  await expectNoViolations(page, 'a playing journey')
})

test('offline edits on a journey board and its page are both saved', async ({ page, keeper, watch }) => {
  watch.expectLine(/ERR_CONNECTION|Failed to (load|fetch)/)
  const { callApi, keeperId, journey } = await createJourneyOfAda(page, keeper)
  await page.goto(`/keeper/${keeperId}/journeys?journey=${journey.id}`)
  await page.getByRole('button', { name: 'More for The crossing' }).click()
  await page.getByRole('menuitem', { name: 'Open as board' }).click()
  const onBoard = page.getByRole('region', { name: 'Waypoints', exact: true })
  const island = { name: 'The outer island reached' }
  await expect(onBoard.getByText('2 of 3 reached')).toBeVisible()

  await page.route('**/api/**', (route) => route.abort('connectionrefused'))
  await onBoard.getByRole('checkbox', island).click()
  await expect(onBoard.getByText('3 of 3 reached')).toBeVisible()
  await page.goBack()
  const branch = page.getByRole('group', { name: 'The way so far' })
  await expect(branch.getByRole('checkbox', island)).toBeChecked()
  await branch.getByRole('button', { name: 'More for Back in the water' }).click()
  await page.getByRole('menuitem', { name: 'Edit waypoint' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Note').fill('She leaks a little.')
  await dialog.getByRole('button', { name: 'Save waypoint' }).click()
  await expect(dialog).toHaveCount(0)
  await page.unroute('**/api/**')

  const fetchWaypoints = async () => (await callApi<Path[]>(`/api/keeper/journeys/${journey.id}/paths`))[0]?.waypoints
  await expect.poll(async () => (await fetchWaypoints())?.[1]?.note, { timeout: 30_000 }).toBe('She leaks a little.')
  expect((await fetchWaypoints())?.map(({ doneAt }) => doneAt !== null)).toEqual([true, true, true])
})

test('moved journey frames persist, and deleted journeys are not found @long', async ({
  page,
  keeper,
  watch,
  anotherPage,
}) => {
  const { callApi, journey, fetchBoard } = await createJourneyOfAda(page, keeper)
  await page.goto(`/studio/journey-board?journeyId=${journey.id}&mode=edit`)
  const canvas = page.getByRole('region', { name: 'Board canvas' })
  const line = canvas.locator('[data-frame="journey_line"]')
  const head = line.locator('[data-frame-head]')
  await expect(line.getByText('The crossing')).toBeVisible()
  const readLinePosition = async () =>
    (await fetchBoard()).frames.find(({ data }) => data.frameType === 'journey_line')?.data.position
  const initialPosition = await readLinePosition()
  const box = await head.boundingBox()
  if (!initialPosition || !box) throw new Error('The frame is missing.')
  await page.mouse.move(box.x + 60, box.y + 10)
  await page.mouse.down()
  await page.mouse.move(box.x + 100, box.y + 70, { steps: 8 })
  await page.mouse.move(box.x + 160, box.y + 90, { steps: 8 })
  await page.mouse.up()
  const bar = page.getByRole('region', { name: 'Board', exact: true })
  await expect(bar.getByText('Unsaved changes', { exact: true })).toBeVisible()
  expect(await readLinePosition()).toEqual(initialPosition)

  // Drafts are written within 250 ms.
  await page.waitForTimeout(400)
  await page.reload()
  await expect(bar.getByText('Unsaved changes', { exact: true })).toBeVisible()
  await bar.getByRole('button', { name: 'Add Frame' }).click()
  await page.getByRole('menuitem', { name: 'Code Snippet' }).click()
  await page.keyboard.press('Control+s')
  await expect(bar.getByText('Unsaved changes', { exact: true })).toHaveCount(0)
  const savedPosition = await readLinePosition()
  expect(savedPosition).not.toEqual(initialPosition)
  expect(savedPosition && isOnGrid(savedPosition)).toBe(true)
  expect((await fetchBoard()).frames.map(({ data }) => data.frameType)).toContain('code_snippet')
  await page.getByRole('radio', { name: 'View' }).click({ force: true })
  await expect(page.getByRole('region', { name: 'Code Snippet' })).toBeVisible()

  const benPage = await anotherPage()
  watch.expectLine(/status of 404/)
  await registerAndSignIn(benPage, keeper, 'ben', { path: `/studio/journey-board?journeyId=${journey.id}` })
  await expect(benPage.getByText('Journey not found')).toBeVisible()
  await callApi(`/api/keeper/journeys/${journey.id}`, undefined, 'DELETE')
  await page.goto(`/studio/journey-board?journeyId=${journey.id}`)
  await expect(page.getByText('Journey not found')).toBeVisible()
})

test('a keeper type is edited in steps and published; a system one is locked @long', async ({ page, keeper }) => {
  const callApi = createApiCaller(keeper, await registerAndSignIn(page, keeper, 'ada'))
  const type = await callApi<KeeperType>('/api/keeper/keeper-types', { name: 'Walks', description: 'Where I went.' })
  const agent = await callApi<Agent>('/api/kip/agents', { name: 'Path finder', purpose: 'Knows the paths.' })
  const fetchTemplateLabels = async () =>
    (await callApi<{ label: string }[]>(`/api/keeper/keeper-types/${type.id}/engagement-templates`)).map(
      ({ label }) => label,
    )
  const fetchKeeperType = async () =>
    (await callApi<KeeperType[]>('/api/keeper/keeper-types')).find(({ id }) => id === type.id)
  await page.goto(`/keeper/types?type=${type.id}`)
  await page.getByRole('link', { name: 'Open as board' }).click()
  await expect(page.getByText('Step 1 of 5')).toBeVisible()
  await page.getByLabel('Name').fill('Long walks')
  await page.getByRole('button', { name: 'Next' }).click()
  await expect(page.getByRole('heading', { name: 'Memory pattern' })).toBeFocused()
  await page.getByRole('radio', { name: /CRM Timeline/ }).check({ force: true })
  await page.getByRole('button', { name: 'Next' }).click()
  const unlinked = page.getByRole('list', { name: 'Templates to link' })
  const linked = page.getByRole('list', { name: 'Linked templates' })
  await expect(unlinked.getByRole('listitem').nth(1)).toBeVisible()
  const names = await unlinked.getByRole('listitem').locator('span.font-medium').allTextContents()
  const [firstName = '', secondName = ''] = names
  for (const name of [firstName, secondName])
    await unlinked.getByRole('button', { name: `Link ${name}`, exact: true }).click()
  await linked.getByRole('button', { name: `Move ${secondName} up`, exact: true }).press('Enter')
  await expect(linked.getByRole('listitem').first()).toContainText(secondName)
  await expect(linked.getByRole('button', { name: `Move ${secondName} down`, exact: true })).toBeFocused()

  // Drafts are written within 250 ms.
  await page.waitForTimeout(400)
  await page.reload()
  await expect(page.getByText('Step 3 of 5')).toBeVisible()
  await expect(page.getByText('Your draft was restored.')).toBeVisible()
  await expect(linked.getByRole('listitem').first()).toContainText(secondName)
  expect({ templates: await fetchTemplateLabels(), name: (await fetchKeeperType())?.name }).toEqual({
    templates: [],
    name: 'Walks',
  })

  await page.getByRole('button', { name: 'Next' }).click()
  await page.getByRole('checkbox', { name: agent.name }).check({ force: true })
  await expect(page.getByRole('list', { name: 'Frames' }).getByRole('listitem')).toHaveCount(3)
  await page.getByRole('button', { name: 'Next' }).click()
  await expect(page.getByText('Step 5 of 5')).toBeVisible()
  await expect(page.getByText('2 templates (2 new)')).toBeVisible()
  const gate = Promise.withResolvers<void>()
  await page.route(`**/keeper-types/${type.id}`, async (route) => {
    await gate.promise
    await route.continue()
  })
  await page.getByRole('button', { name: 'Publish', exact: true }).click()
  await page.getByRole('button', { name: 'Identity' }).click()
  await expect(
    page.getByText('Step 5 of 5'),
    'no step opens while publishing, as its edits would be lost with the draft',
  ).toBeVisible()
  gate.resolve()
  await expect(page.getByText('Long walks was published.').first()).toBeVisible()
  await expect(page.getByText('No unpublished changes.')).toBeVisible()
  expect(await fetchTemplateLabels()).toEqual([secondName, firstName])
  expect(await fetchKeeperType()).toMatchObject({ name: 'Long walks', memoryPattern: 'CRMTimeline' })
  expect((await callApi<Agent[]>(`/api/keeper/keeper-types/${type.id}/agents`)).map(({ id }) => id)).toEqual([agent.id])

  await page.getByRole('radio', { name: 'Canvas' }).click({ force: true })
  await expect(page.getByRole('region', { name: 'Board canvas' }).locator('[data-frame]')).toHaveCount(3)

  await page.goto('/studio/keeper-type-board?keeperTypeId=system-journal')
  await expect(page.getByText('This is a system-reserved Keeper Type. Editing is disabled.')).toBeVisible()
  await expect(page.getByLabel('Name')).toBeDisabled()
  await page.getByRole('button', { name: 'Review & publish' }).click()
  await expect(page.getByText('Step 5 of 5')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Publish', exact: true })).toHaveCount(0)
  await expectNoViolations(page, 'a system type')
})

test("frames added to an agent's workspace refer to it and persist @long", async ({ page, keeper, watch }) => {
  watch.expectLine(/404/)
  const ada = await registerAndSignIn(page, keeper, 'ada')
  const callApi = createApiCaller(keeper, ada)
  const agent = await callApi<Agent>('/api/kip/agents', { name: 'Path finder', purpose: 'Knows the paths.' })
  await page.goto(`/studio/agent-board?agentId=${agent.id}`)
  const canvas = page.getByRole('region', { name: 'Board canvas' })
  await expect(canvas.locator('[data-frame="agent_preview"]')).toBeVisible()
  await page.getByRole('button', { name: 'Add Frame' }).click()
  await expect(page.getByRole('menuitem')).toHaveText([/^Agent Preview/, /^Dialog Frame/, /^Config Panel/])
  await page.getByRole('menuitem', { name: /^Dialog Frame/ }).click()
  await expect(page.getByText('Unsaved changes', { exact: true })).toBeVisible()
  // The agent's panel has a Save button too.
  await page.getByRole('button', { name: 'Save', exact: true }).first().click()
  await expect(page.getByText('Unsaved changes', { exact: true })).toHaveCount(0)
  const { frames } = await callApi<{ frames: Board['frames'] }>(`/api/agents/${agent.id}`)
  const added = frames.find(({ data }) => data.frameType === 'dialog')
  expect(added).toMatchObject({ entityType: 'agent', entityId: agent.id, data: { content: { agentId: agent.id } } })
  await page.reload()
  await expect(canvas.locator('[data-frame="dialog"]')).toHaveCount(1)

  const callBoardApi = createBoardApiCaller(keeper, ada)
  const { id } = await callBoardApi('/api/boards/of-entity', { entityType: 'agent', entityId: agent.id })
  await callBoardApi(`/api/boards/${id}`, undefined, 'DELETE')
  await expect(page.getByText('This board was deleted')).toBeVisible()
  expect(await callApi('/api/board-data'), 'viewing the deleted board creates no other').toEqual([])
  await callBoardApi(`/api/boards/${id}/restore`, {})
  await expect(canvas.locator('[data-frame="dialog"]')).toHaveCount(1)
})

test('the wheel scrolls an agent workspace to its end over the board @long', async ({ page, keeper }) => {
  const ada = await registerAndSignIn(page, keeper, 'ada')
  const agent = await createApiCaller(keeper, ada)<Agent>('/api/kip/agents', { name: 'Path finder', purpose: 'Paths.' })
  await page.goto(`/studio/agents/${agent.id}`)
  const canvas = page.getByRole('region', { name: 'Board canvas' })
  await expect(canvas.locator('[data-frame="config_panel"]').getByLabel('Purpose')).toBeVisible()
  const getView = () => canvas.locator('.react-flow__viewport').evaluate(({ style }: HTMLElement) => style.transform)
  const readScroll = () =>
    page.evaluate(() => ({ y: Math.round(scrollY), end: document.documentElement.scrollHeight - innerHeight }))
  const initialView = await getView()
  const { end } = await readScroll()
  expect(end, 'the page is longer than the window').toBeGreaterThan(200)
  await page.mouse.move(700, 500)
  let position = 0
  while (position < end - 1) {
    await page.mouse.wheel(0, 100)
    const next = Math.min(position + 100, end)
    await expect.poll(async () => (await readScroll()).y, 'no stop').toBeGreaterThanOrEqual(next - 1)
    position = next
  }
  expect(await getView(), 'the board stays').toBe(initialView)

  const box = await canvas.boundingBox()
  if (!box) throw new Error('The canvas is missing.')
  await page.mouse.move(box.x + 30, box.y + 200)
  await page.keyboard.down('Control')
  await page.mouse.wheel(0, -100)
  await page.keyboard.up('Control')
  await expect.poll(getView, 'Ctrl zooms').not.toBe(initialView)
  const zoomed = await getView()
  await page.mouse.click(box.x + 30, box.y + 200)
  await page.mouse.wheel(0, -100)
  await expect.poll(getView, 'after a click the wheel pans').not.toBe(zoomed)
  expect((await readScroll()).y).toBe(end)
  const panned = await getView()
  await page.getByRole('heading', { name: 'Frames' }).click()
  await page.mouse.move(box.x + 30, box.y + 200)
  await page.mouse.wheel(0, -100)
  await expect
    .poll(async () => (await readScroll()).y, 'after a click outside the wheel scrolls the page')
    .toBeLessThan(end)
  expect(await getView()).toBe(panned)
})

test('keys scroll an agent workspace until its board has the focus @long', async ({ page, keeper }) => {
  const ada = await registerAndSignIn(page, keeper, 'ada')
  const agent = await createApiCaller(keeper, ada)<Agent>('/api/kip/agents', { name: 'Path finder', purpose: 'Paths.' })
  await page.goto(`/studio/agents/${agent.id}`)
  const canvas = page.getByRole('region', { name: 'Board canvas' })
  await expect(canvas.locator('[data-frame="config_panel"]').getByLabel('Purpose')).toBeVisible()
  const getView = () => canvas.locator('.react-flow__viewport').evaluate(({ style }: HTMLElement) => style.transform)
  const getScrollY = () => page.evaluate(() => scrollY)
  const initialView = await getView()
  await page.evaluate(() => (document.activeElement as HTMLElement).blur())
  for (const key of ['Space', 'ArrowDown']) {
    await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }))
    await page.keyboard.press(key)
    await expect.poll(getScrollY, key).toBeGreaterThan(0)
  }
  await page.keyboard.press('Control+a')
  await expect(canvas.locator('.react-flow__node.selected')).toHaveCount(0)
  expect(await page.evaluate(() => String(getSelection()))).toContain('Path finder')
  expect(await getView(), 'the board stays').toBe(initialView)

  await canvas.focus()
  await page.keyboard.press('ArrowDown')
  await expect.poll(getView, 'the board pans').not.toBe(initialView)
  await page.keyboard.press('Control+a')
  await expect(canvas.locator('.react-flow__node.selected')).not.toHaveCount(0)
})

test.describe('by touch', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })

  test('one finger scrolls an agent workspace, two move its board @long', async ({ page, keeper }) => {
    const ada = await registerAndSignIn(page, keeper, 'ada')
    const agent = await createApiCaller(keeper, ada)<Agent>('/api/kip/agents', { name: 'Path finder', purpose: 'p' })
    await page.goto(`/studio/agents/${agent.id}`)
    const canvas = page.getByRole('region', { name: 'Board canvas' })
    const node = canvas.locator('.react-flow__node').first()
    await expect(node).toBeVisible()
    const getView = () => canvas.locator('.react-flow__viewport').evaluate(({ style }: HTMLElement) => style.transform)
    const getScrollY = () => page.evaluate(() => scrollY)
    const devtools = await page.context().newCDPSession(page)
    type Finger = { x: number; y: number }
    const swipe = async (fingers: readonly Finger[], toOffset: (finger: number, share: number) => Finger) => {
      const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', share: number) =>
        devtools.send('Input.dispatchTouchEvent', {
          type,
          touchPoints:
            type === 'touchEnd'
              ? []
              : fingers.map(({ x, y }, id) => {
                  const offset = toOffset(id, share)
                  return { id, x: x + offset.x, y: y + offset.y }
                }),
        })
      await touch('touchStart', 0)
      for (const share of [0.2, 0.4, 0.6, 0.8, 1]) await touch('touchMove', share)
      // Fingers that rest before they lift don't fling the page into the next gesture.
      await page.waitForTimeout(200)
      await touch('touchEnd', 1)
    }
    await canvas.evaluate((element) => element.scrollIntoView({ block: 'center' }))
    const initial = { view: await getView(), y: await getScrollY() }
    for (const [part, offset] of [
      [canvas, { x: 20, y: 60 }],
      [node.locator('[data-frame-head]').first(), { x: 30, y: 8 }],
    ] as const) {
      const box = await part.boundingBox()
      if (!box) throw new Error('The board is missing.')
      await swipe([{ x: box.x + offset.x, y: box.y + offset.y }], (_, share) => ({ x: 0, y: 80 * share }))
    }
    await expect.poll(getScrollY, 'both swipes scroll').toBeLessThan(initial.y - 120)
    expect(await getView(), 'the board stays').toBe(initial.view)

    await canvas.evaluate((element) => element.scrollIntoView({ block: 'center' }))
    const box = await node.boundingBox()
    if (!box) throw new Error('The frame is missing.')
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
    const previousScrollY = await getScrollY()
    const fingers = [
      { x: x - 20, y },
      { x: x + 20, y },
    ]
    await swipe(fingers, (finger, share) => ({ x: (finger === 0 ? -60 : 60) * share, y: 0 }))
    await expect.poll(getView, 'two fingers zoom, also over a frame').not.toBe(initial.view)
    expect(await getScrollY()).toBe(previousScrollY)
  })

  test('a phone lists the frames of a journey board and shows its canvas on request @long', async ({
    page,
    keeper,
  }) => {
    const { journey } = await createJourneyOfAda(page, keeper)
    await page.goto(`/studio/journey-board?journeyId=${journey.id}`)
    const frames = page.getByRole('list', { name: 'Frames' })
    const waypoints = frames.getByRole('region', { name: 'Waypoints', exact: true })
    await expect(waypoints.getByText('2 of 3 reached')).toBeVisible()
    const getWidth = async () => (await waypoints.boundingBox())?.width
    expect(await getWidth(), 'frames fill the page').toBeGreaterThan(300)
    await expectNoViolations(page, 'a list of frames')
    await page.getByRole('button', { name: 'Show the canvas' }).click()
    await page.getByRole('button', { name: 'Zoom to Waypoints' }).click()
    await expect(waypoints.getByText('2 of 3 reached')).toBeVisible()
    await page.getByRole('button', { name: 'Show as a list' }).click()
    await expect.poll(getWidth).toBeGreaterThan(300)
  })
})

test('no board page shows an underscore @long', async ({ page, keeper }) => {
  const { callApi, keeperId, journey } = await createJourneyOfAda(page, keeper)
  const agent = await callApi<Agent>('/api/kip/agents', { name: 'Path finder', purpose: 'Knows the paths.' })
  const [type] = await callApi<KeeperType[]>('/api/keeper/keeper-types')
  expect(keeperId).not.toBe('')
  await page.goto('/studio/board-studio')
  await page.getByRole('button', { name: 'Create New Board' }).click()
  await page.getByRole('textbox', { name: 'Board name' }).press('Escape')
  await expect(page.getByRole('region', { name: 'Settings', exact: true })).toBeVisible()
  const studio = new URL(page.url())
  const tabs = ['layout', 'preview', 'assist'].map((tab) => `${studio.pathname}${studio.search}&tab=${tab}`)
  for (const path of [
    ...[studio.pathname + studio.search, ...tabs, '/board-demo'],
    ...['/studio/agent-board', `/studio/agents/${agent.id}`, '/studio/domain-board', '/studio/people-board'],
    ...['/studio/journey-board', `/studio/journey-board?journeyId=${journey.id}`],
    ...[`/studio/journey-board?journeyId=${journey.id}&mode=edit`, '/studio/keeper-type-board'],
    ...[0, 1, 2, 3, 4].map((step) => `/studio/keeper-type-board?keeperTypeId=${type?.id}&step=${step}`),
    `/studio/keeper-type-board?keeperTypeId=${type?.id}&mode=canvas`,
  ]) {
    await page.goto(path)
    await expect(page.getByRole('heading').first()).toBeAttached()
    const main = page.getByRole('main')
    await expect(main.getByLabel(/^Loading/), path).toHaveCount(0)
    expect((await main.innerText()).match(/\S*_\S*/g), path).toBeNull()
    const addFrame = page.getByRole('button', { name: 'Add Frame' })
    if (!(await addFrame.isVisible())) continue
    await addFrame.click()
    await expect(page.getByRole('menuitem').first()).toBeVisible()
    expect(await page.getByRole('menu').innerText(), path).not.toContain('_')
  }
})

test('without an entity the boards show samples and request nothing @long', async ({ page, keeper }) => {
  const requestedPaths: string[] = []
  await registerAndSignIn(page, keeper, 'ada')
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (/^\/api\/(boards|board-data|agents\/|keeper\/(journeys|keeper-types))/.test(pathname))
      requestedPaths.push(pathname)
  })
  await page.goto('/studio/journey-board')
  await expect(page.getByRole('heading', { name: 'The Harbour Year' })).toBeVisible()
  await expect(page.getByRole('region', { name: 'The way so far' })).toBeVisible()
  await page.getByRole('slider', { name: 'Day' }).press('Home')
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/studio/journey-board')
  // The board fits the window, and frames that are too small to read show only their names.
  await expect(page.getByText('The way so far')).toBeVisible()
  await expectNoViolations(page, 'a sample on a phone')
  await page.goto('/studio/keeper-type-board')
  await expect(page.getByRole('heading', { name: 'Journal', level: 1 })).toBeVisible()
  await page.getByRole('button', { name: 'Engagement templates' }).click()
  await expect(page.getByText('Voice Panel')).toBeVisible()
  await page.goto('/studio/agent-board')
  await expect(page.getByRole('heading', { name: 'Demo Agent' })).toBeVisible()
  await expect(page.getByRole('region', { name: 'Try it' })).toBeVisible()
  expect(requestedPaths).toEqual([])
})
