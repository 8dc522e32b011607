import type { Locator, Page } from '@playwright/test'
import type { Board, Frame } from '#contract/boards/boards.ts'
import type { FrameType } from '#contract/boards/frame-types.ts'
import { buildFrame, type NewFrameOptions } from '#web/boards/document/board-document.ts'
import type { BuiltKeeper } from './built-keeper.ts'
import { expectNoViolations } from './expect-no-violations.ts'
import { expect, registerAndSignIn, registerPerson, test } from './fixtures.ts'
import { getButton, getFrame } from './locators.ts'
import { storeSession } from './store-session.ts'

const getLayout = (page: Page) => page.locator('[data-layout]')

function createFrame(type: FrameType, name: string, index: number, overrides: Partial<NewFrameOptions> = {}): Frame {
  const createdFrame = buildFrame(type, { name, position: { x: 60 + index * 40, y: 60 + index * 20 }, ...overrides })
  return { ...createdFrame, data: { ...createdFrame.data, slug: `frame-${index}` } }
}
const createSnippets = (count: number) =>
  Array.from({ length: count }, (_, index) =>
    createFrame('code_snippet', `Words ${index + 1}`, index, {
      content: { code: `line ${index + 1}`, language: 'text' },
    }),
  )

/** Opens a new board of Ada's with these frames in a tab of the studio. */
async function openBoard(
  page: Page,
  keeper: BuiltKeeper,
  { frames, config = {}, tab = 'preview' }: { frames: Frame[]; config?: object; tab?: 'layout' | 'preview' | 'edit' },
) {
  const { token, user } = await registerAndSignIn(page, keeper, 'ada')
  const callApi = async <Data>(to: string, body?: unknown, method = body ? 'POST' : 'GET'): Promise<Data> => {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
    const answer = await (
      await fetch(keeper.url + to, { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) })
    ).json()
    return 'success' in answer ? answer.data : answer
  }
  const { id } = await callApi<Board>('/api/boards', { name: 'The Harbour Year' })
  await callApi(`/api/boards/${id}`, { frames, config }, 'PATCH')
  await page.goto(`/studio/board-studio?board=${id}&tab=${tab}`)
  return { id, callApi, user, fetchBoard: () => callApi<Board>(`/api/board-data/${id}`) }
}

const getColumns = (page: Page) =>
  getLayout(page)
    .getByRole('list', { name: 'Frames' })
    .evaluate((list) => getComputedStyle(list).gridTemplateColumns.split(' ').length)

test('a grid follows its column rule and animation, even with unknown types @long', async ({ page, keeper }) => {
  await page.emulateMedia({ reducedMotion: 'no-preference' })
  await page.setViewportSize({ width: 1720, height: 900 })
  const { id, callApi } = await openBoard(page, keeper, { frames: createSnippets(1), config: { layout: 'grid' } })
  await expect(getFrame(page, 'Words 1')).toBeVisible()
  expect(await getColumns(page)).toBe(1)
  for (const [count, expected] of [
    [2, 2],
    [4, 2],
    [5, 3],
  ] as const) {
    await callApi(`/api/boards/${id}`, { frames: createSnippets(count) }, 'PATCH')
    await page.reload()
    await expect(getFrame(page, `Words ${count}`)).toBeVisible()
    expect(await getColumns(page)).toBe(expected)
  }
  // A new board's panel counts as a normal frame, and a dialog takes a column.
  const { frames: starters } = await callApi<Board>('/api/boards', { name: 'New' })
  for (const [frames, expected] of [
    [starters, 2],
    [[...starters, createFrame('dialog', 'Talk', 2)], 2],
  ] as const) {
    await callApi(`/api/boards/${id}`, { frames }, 'PATCH')
    await page.reload()
    await expect(getFrame(page, frames.at(-1)?.data.name ?? '')).toBeVisible()
    expect(await getColumns(page)).toBe(expected)
    const tops = await getLayout(page)
      .getByRole('list', { name: 'Frames' })
      .locator('> li')
      .evaluateAll((items) => items.slice(0, 2).map((item) => item.getBoundingClientRect().top))
    expect(tops[0]).toBe(tops[1])
  }
  await page.goto(`/studio/board-studio?board=${id}&tab=layout`)
  await expect(page.getByText('3 frames: 2 columns, 1 on a phone.')).toBeVisible()
  await callApi(`/api/boards/${id}`, { frames: createSnippets(5) }, 'PATCH')
  await page.goto(`/studio/board-studio?board=${id}&tab=preview`)

  const readAnimation = () =>
    getLayout(page)
      .getByRole('listitem')
      .first()
      .evaluate((item) => `${getComputedStyle(item).animationName} ${getComputedStyle(item).animationDuration}`)
  for (const [animation, expected] of [
    ['none', 'none 0s'],
    ['fade', 'k-fade 0.3s'],
    ['slide', 'k-slide 0.4s'],
    ['scale', 'k-scale 0.3s'],
  ]) {
    await callApi(`/api/boards/${id}`, { config: { animation } }, 'PATCH')
    await page.reload()
    await expect(getFrame(page, 'Words 2')).toBeVisible()
    expect(await readAnimation()).toBe(expected)
  }
  await page.emulateMedia({ reducedMotion: 'reduce' })
  expect(await readAnimation()).toBe('k-scale 0s')

  const [first, second] = createSnippets(2) as [Frame, Frame]
  const unknownFrame = {
    ...second,
    data: { ...second.data, frameType: 'hologram', name: 'Strange', content: {} },
    FrameConfig: { ...second.FrameConfig, engagementMode: 'canvas' as const },
  }
  await callApi(`/api/boards/${id}`, { frames: [first, unknownFrame] }, 'PATCH')
  await page.reload()
  await expect(page.getByText('Frame type "hologram" is not supported.')).toBeVisible()
  await expect(getFrame(page, 'Words 1')).toBeVisible()

  await page.setViewportSize({ width: 390, height: 844 })
  await expect.poll(() => getColumns(page)).toBe(1)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
})

test('wizard and focus layouts step through frames by button and key @long', async ({ page, keeper }) => {
  const { id, callApi } = await openBoard(page, keeper, {
    frames: createSnippets(3),
    config: { engagementMode: 'wizard' },
  })
  await expect(page.getByText('Step 1 of 3', { exact: true })).toBeVisible()
  await expect(getFrame(page, 'Words 1')).toBeVisible()
  await expect(getFrame(page, 'Words 2')).toHaveCount(0)
  await expect(getButton(page, 'Back')).toBeDisabled()
  await getButton(page, 'Next').click()
  await expect(page.getByText('Step 2 of 3', { exact: true })).toBeVisible()
  await expect(page.getByRole('heading', { level: 2, name: 'Words 2' })).toBeFocused()
  await page.keyboard.press('ArrowRight')
  await expect(getFrame(page, 'Words 3')).toBeVisible()
  await expect(getButton(page, 'Next')).toBeDisabled()
  await page.keyboard.press('Home')
  await expect(page.getByText('Step 1 of 3', { exact: true })).toBeVisible()
  await getButton(page, 'Step 2: Words 2').click()
  await expect(getFrame(page, 'Words 2')).toBeVisible()
  await expectNoViolations(page, 'a board as a wizard')

  await callApi(`/api/boards/${id}`, { config: { engagementMode: 'dialogic', layout: 'focus' } }, 'PATCH')
  await page.reload()
  await expect(getFrame(page, 'Words 1')).toBeVisible()
  await expect(getFrame(page, 'Words 2')).toHaveCount(0)
  await getButton(page, 'Words 1').focus()
  await page.keyboard.press('ArrowRight')
  await expect(getFrame(page, 'Words 2')).toBeVisible()
  await expect(getButton(page, 'Words 2')).toBeFocused()
  await getButton(page, 'Previous frame').click()
  await getButton(page, 'Previous frame').click()
  await expect(getFrame(page, 'Words 3')).toBeVisible()
})

test('a row scrolls sideways, and gallery pictures open large @long', async ({ page, keeper }) => {
  const { id, callApi } = await openBoard(page, keeper, { frames: createSnippets(8), config: { layout: 'row' } })
  const line = getLayout(page).getByRole('list', { name: 'Frames' })
  await expect(getButton(page, 'Previous frames')).toBeDisabled()
  await getButton(page, 'Next frames').click()
  await expect.poll(() => line.evaluate((list) => list.scrollLeft)).toBeGreaterThan(100)
  await expect(getButton(page, 'Previous frames')).toBeEnabled()
  await line.evaluate((list) => list.scrollTo(list.scrollWidth, 0))
  await expect(getButton(page, 'Next frames')).toBeDisabled()

  const pictures = [0, 1].map((index) => {
    const createdFrame = createFrame('media_card', `Picture ${index + 1}`, index)
    return { ...createdFrame, FrameConfig: { ...createdFrame.FrameConfig, engagementMode: 'gallery' as const } }
  })
  const snippetFrames = createSnippets(1).map((snippet) => ({ ...snippet, data: { ...snippet.data, slug: 'words' } }))
  await callApi(`/api/boards/${id}`, { frames: [...pictures, ...snippetFrames], config: { layout: 'grid' } }, 'PATCH')
  await page.reload()
  await expect(page.getByRole('region', { name: 'Gallery' }).getByRole('listitem')).toHaveCount(2)
  await getButton(page, 'Enlarge Picture 1').click()
  await expect(page.getByRole('dialog', { name: 'Picture 1' })).toContainText('Picture 1 of 2')
  await page.keyboard.press('ArrowRight')
  await expect(page.getByRole('dialog', { name: 'Picture 2' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(getButton(page, 'Enlarge Picture 1')).toBeFocused()
})

test('layout, order and Arrange can be chosen, undone and saved @long', async ({ page, keeper }) => {
  const frames = createSnippets(4)
  const { fetchBoard } = await openBoard(page, keeper, { frames, config: { engagementMode: 'canvas' }, tab: 'layout' })
  await expect(page.getByRole('radio', { name: /^Canvas/ })).toBeChecked()
  await page.getByText('Rows and columns of equal height').click()
  await expect(page.getByRole('radio', { name: /^Grid/ })).toBeChecked()
  await expect(page.getByText('4 frames: 2 columns, 1 on a phone.')).toBeVisible()

  await getButton(page, 'Arrange').click()
  await expect(page.getByText('Arranged as grid.')).toBeVisible()
  await getButton(page, 'Move Words 1 down').focus()
  await page.keyboard.press('Alt+ArrowDown')
  const order = page.getByRole('list', { name: 'Reading order' }).getByRole('listitem')
  await expect(order.first()).toContainText('Words 2')
  await expect(getButton(page, 'Move Words 1 down')).toBeFocused()

  await getButton(page, 'Save').click()
  await expect.poll(async () => (await fetchBoard()).config.layout).toBe('grid')
  const savedBoard = await fetchBoard()
  expect(savedBoard.engagementMode).toBe('dialogic')
  expect(savedBoard.frames.map(({ data }) => data.name)).toEqual(['Words 2', 'Words 1', 'Words 3', 'Words 4'])
  const positions = savedBoard.frames.map(({ data: { position } }) => position)
  expect(new Set(positions.map(({ x }) => x)).size).toBe(2)
  for (const { x, y } of positions) expect({ x: x % 20, y: y % 20 }).toEqual({ x: 0, y: 0 })

  await page.getByRole('switch', { name: /Allow layout editing/ }).click({ force: true })
  await expect(getButton(page, 'Arrange')).toBeDisabled()
  await expect(getButton(page, 'Move Words 2 down')).toHaveCount(0)

  // A fixed layout also applies on the canvas, where frames stay editable.
  await page.getByRole('tab', { name: 'Edit' }).click()
  const node = page.locator('.react-flow__node', { has: getFrame(page, 'Words 2') })
  const readPosition = () => node.evaluate(({ style }: HTMLElement) => style.transform)
  const [initialPosition, head] = [await readPosition(), await node.locator('[data-frame-head]').boundingBox()]
  if (!head) throw new Error('The frame is not visible')
  const dragFrameHead = async () => {
    await page.mouse.move(head.x + 60, head.y + 12)
    await page.mouse.down()
    await page.mouse.move(head.x + 160, head.y + 72, { steps: 6 })
    await page.mouse.up()
  }
  await dragFrameHead()
  await node.locator('[data-frame-head]').click()
  await expect(getButton(page, 'Duplicate')).toBeVisible()
  await page.keyboard.press('ArrowRight')
  await expect(page.locator('[data-canvas-live]')).toHaveText('The layout is locked, so frames can’t be moved.')
  await expect(page.locator('[data-corner]')).toHaveCount(0)
  expect(await readPosition()).toBe(initialPosition)
  await getButton(page, 'Allow layout editing').click()
  await expect(page.locator('[data-fixed-note]')).toHaveCount(0)
  await dragFrameHead()
  await expect.poll(readPosition).not.toBe(initialPosition)
})

/** Opens a board with a role frame that lists Ben, and an edit that can be undone. */
async function openRolesOnCanvas(page: Page, keeper: BuiltKeeper) {
  await page.setViewportSize({ width: 1440, height: 900 })
  const frames = [createFrame('role_manager', 'Roles', 0), createFrame('code_snippet', 'Words', 12)]
  const { callApi } = await openBoard(page, keeper, { frames, tab: 'edit' })
  const ben = await registerPerson(keeper, 'ben')
  const [domain] = await callApi<{ id: string }[]>('/api/domains/my')
  await callApi(`/api/domains/${domain?.id}/members`, { userId: ben.user.id, role: 'user' })
  await page.reload()
  const benRoleSelect = getFrame(page, 'Roles').getByLabel('Role of Ben Haugen')
  await expect(benRoleSelect).toHaveValue('user')
  await getButton(page, 'Add Code Snippet').click()
  const nodes = page.locator('.react-flow__node')
  await expect(nodes).toHaveCount(3)
  return { benRoleSelect, nodes }
}

test('an open select captures all keys until it closes @long', async ({ page, keeper }) => {
  const { benRoleSelect, nodes } = await openRolesOnCanvas(page, keeper)
  const isOpen = (list: Locator) => list.evaluate((select) => select.matches(':open'))
  await benRoleSelect.click()
  await expect.poll(() => isOpen(benRoleSelect)).toBe(true)
  await page.keyboard.press('Control+z')
  await expect(nodes).toHaveCount(3)
  expect(await isOpen(benRoleSelect)).toBe(true)
  await page.keyboard.press('Escape')
  await expect.poll(() => isOpen(benRoleSelect)).toBe(false)
  await expect(benRoleSelect).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(nodes.filter({ has: getFrame(page, 'Roles') })).toBeFocused()

  await getFrame(page, 'Words').locator('[data-frame-head]').click()
  await page.locator('[data-selection-bar]').getByRole('button', { name: 'Settings', exact: true }).click()
  const dialog = page.getByRole('dialog')
  const language = dialog.getByLabel('Language')
  await language.click()
  await expect.poll(() => isOpen(language)).toBe(true)
  await page.keyboard.press('Escape')
  await expect.poll(() => isOpen(language)).toBe(false)
  await expect(language).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
})

test('undo in a role frame restores the role, and its toast covers no tool @long', async ({ page, keeper }) => {
  const { benRoleSelect, nodes } = await openRolesOnCanvas(page, keeper)
  await benRoleSelect.selectOption('friend')
  const toast = page.locator('[data-sonner-toast]', { hasText: 'Ben Haugen is now a friend.' })
  await expect(toast).toBeVisible()
  for (const width of [390, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    const tools = await page.getByRole('toolbar', { name: 'Canvas tools' }).boundingBox()
    const getToastBottom = () => toast.evaluate((element) => element.getBoundingClientRect().bottom)
    await expect.poll(getToastBottom, `at a width of ${width}`).toBeLessThan(tools?.y ?? 0)
  }
  await benRoleSelect.press('Control+z')
  await expect(benRoleSelect).toHaveValue('user')
  await expect(page.getByText('Member role updated. Ben Haugen is now a user.')).toBeVisible()
  await benRoleSelect.press('Control+z')
  await expect(nodes, 'undo changes nothing on the board').toHaveCount(3)

  await benRoleSelect.selectOption('friend')
  await expect(toast).toBeVisible()
  await page.getByRole('region', { name: 'Board canvas' }).press('Control+z')
  await expect(nodes).toHaveCount(2)
  await expect(benRoleSelect).toHaveValue('friend')
})

test('roles, waypoints and learnings are edited from frames as permitted @long', async ({
  page,
  keeper,
  anotherPage,
  watch,
}) => {
  const { callApi, user, id } = await openBoard(page, keeper, { frames: createSnippets(1) })
  const ben = await registerPerson(keeper, 'ben')
  const [domain] = await callApi<{ id: string }[]>('/api/domains/my')
  await callApi(`/api/domains/${domain?.id}/members`, { userId: ben.user.id, role: 'user' })
  const createdKeeper = await callApi<{ id: string }>('/api/keeper/keepers', {
    title: 'Harbour',
    purpose: 'The year',
    keeperType: 'journal',
    memoryPattern: 'sole',
  })
  const journey = await callApi<{ id: string }>(`/api/keeper/keepers/${createdKeeper.id}/journeys`, {
    title: 'First ice',
  })
  const { paths } = await callApi<{ paths: { id: string }[] }>(`/api/keeper/journeys/${journey.id}`)
  await callApi(`/api/keeper/paths/${paths[0]?.id}`, { waypoints: [{ title: 'Back in the water' }] }, 'PUT')
  const journeyEntity = { entityType: 'journey', entityId: journey.id }
  await callApi(
    `/api/boards/${id}`,
    {
      frames: [
        createFrame('role_manager', 'Roles', 0),
        createFrame('journey_waypoints', 'The way', 1, journeyEntity),
        createFrame('journey_learned', 'What stays', 2, journeyEntity),
      ],
      config: { layout: 'grid' },
    },
    'PATCH',
  )
  await page.reload()

  const benRoleSelect = getFrame(page, 'Roles').getByLabel('Role of Ben Haugen')
  await benRoleSelect.selectOption('admin')
  await expect(page.getByText('Member role updated. Ben Haugen is now an admin.')).toBeVisible()
  await benRoleSelect.press('Control+z')
  await expect(benRoleSelect).toHaveValue('user')
  await expect(page.getByText('Member role updated. Ben Haugen is now a user.')).toBeVisible()
  await benRoleSelect.selectOption('admin')
  await expect(page.getByText('Member role updated. Ben Haugen is now an admin.')).toBeVisible()
  await page.locator('[data-sonner-toast]').getByRole('button', { name: 'Undo', exact: true }).click()
  await expect(benRoleSelect).toHaveValue('user')
  await expect(page.getByText('Member role updated. Ben Haugen is now a user.')).toBeVisible()
  await benRoleSelect.selectOption('admin')
  await expect(page.getByText('Member role updated. Ben Haugen is now an admin.')).toBeVisible()
  const roles = await callApi<{ userId: string; role: string }[]>(`/api/domains/${domain?.id}/members`)
  expect(roles.map(({ userId, role }) => [userId, role])).toEqual(
    expect.arrayContaining([
      [user.id, 'owner'],
      [ben.user.id, 'admin'],
    ]),
  )

  await getFrame(page, 'The way').getByRole('checkbox', { name: 'Back in the water reached' }).check()
  await expect(getFrame(page, 'The way').getByText('1 of 1 reached')).toBeVisible()
  const reached = await callApi<{ paths: { waypoints: { doneAt: string | null }[] }[] }>(
    `/api/keeper/journeys/${journey.id}`,
  )
  expect(reached.paths[0]?.waypoints[0]?.doneAt).not.toBeNull()

  const textbox = getFrame(page, 'What stays').getByRole('textbox')
  await textbox.fill('Nothing is mended once.')
  await page.waitForTimeout(400)
  await page.reload()
  await expect(textbox).toHaveValue('Nothing is mended once.')
  await getButton(page, 'Save Reflection').click()
  await expect(getFrame(page, 'What stays').getByText('Saved as a reflection.')).toBeVisible()
  const reflections = await callApi<{ content: string; topic: string }[]>(
    `/api/keeper/keepers/${createdKeeper.id}/reflections`,
  )
  expect(reflections).toMatchObject([{ content: 'Nothing is mended once.', topic: 'First ice' }])

  // The board is shared but the journey isn't: only its frame reports that.
  await callApi(
    `/api/boards/${id}/shares/${domain?.id}`,
    { rights: { admin: 'view', user: 'none', friend: 'none', connection: 'none' } },
    'PUT',
  )
  watch.expectLine(/status of 404/)
  const benPage = await anotherPage()
  await storeSession(benPage, ben)
  await benPage.goto(`/studio/board-studio?board=${id}&tab=preview`)
  await expect(
    getFrame(benPage, 'The way').getByText('This journey was deleted or isn’t shared with you.'),
  ).toBeVisible()
  await expect(getFrame(benPage, 'Roles')).toBeVisible()
  await callApi(`/api/domains/${domain?.id}/shared/journeys/${journey.id}`, { roles: ['admin'] }, 'PUT')
  await benPage.reload()
  await expect(getFrame(benPage, 'The way').getByText('Back in the water')).toBeVisible()
  await expect(getFrame(benPage, 'The way').getByRole('checkbox')).toHaveCount(0)
})
