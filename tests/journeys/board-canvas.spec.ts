import type { Locator, Page } from '@playwright/test'
import { createEmptyContent } from '#contract/boards/frame-content.ts'
import { type FrameType, frameTypes } from '#contract/boards/frame-types.ts'
import type { BuiltKeeper } from './built-keeper.ts'
import { expect, registerAndSignIn, test } from './fixtures.ts'

interface FrameSpec {
  type: FrameType
  name: string
  x: number
  y: number
  width?: number
  height?: number
  content?: Record<string, unknown>
}

const lamp: FrameSpec = { type: 'process_frame', name: 'Lamp', x: 40, y: 40 }
const quay: FrameSpec = { type: 'code_snippet', name: 'Quay', x: 420, y: 100 }
const ferry: FrameSpec = { type: 'code_snippet', name: 'Ferry', x: 40, y: 400 }

/** Creates a board of Ada's and opens it at 100%, with its origin near the top left corner. */
async function openBoard(page: Page, keeper: BuiltKeeper, ...frameSpecs: FrameSpec[]) {
  const board = await createBoard(page, keeper, ...frameSpecs)
  const { width, height } = page.viewportSize() ?? { width: 1280, height: 720 }
  const [x, y] = width > 860 ? [width / 2 - 328, height / 2 - 112] : [width / 2 - 24, height / 2 - 115]
  const views = JSON.stringify([[board.id, x, y, 1]])
  await page.evaluate((value) => localStorage.setItem('keeper-board-views', value), views)
  await showBoard(page, board.id, frameSpecs)
  return board
}

async function showBoard(page: Page, id: string, frameSpecs: readonly FrameSpec[]) {
  await page.goto(`/studio/board-studio?board=${id}`)
  for (const { name } of frameSpecs) await expect(getHead(page, name)).toBeVisible()
}

/** Creates a board of Ada's with these frames, 200 by 140 by default. */
async function createBoard(page: Page, keeper: BuiltKeeper, ...frameSpecs: FrameSpec[]) {
  const { token } = await registerAndSignIn(page, keeper, 'ada')
  const callApi = async (method: string, to: string, body?: unknown) => {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
    const answer = await fetch(keeper.url + to, {
      method,
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    expect(answer.ok).toBe(true)
    return answer.json()
  }
  const { id } = await callApi('POST', '/api/boards', { name: 'The Harbour Year' })
  const frames = frameSpecs.map(({ type, name, x, y, width = 200, height = 140, content }, index) => {
    const { description, category, icon, pattern } = frameTypes[type]
    return {
      id: String(index + 1).padStart(32, '0'),
      data: {
        frameType: type,
        name,
        description,
        category,
        icon,
        slug: name.toLowerCase(),
        position: { x, y },
        size: { width, height },
        content: { ...createEmptyContent(type), ...content },
      },
      FrameConfig: { engagementMode: pattern },
    }
  })
  await callApi('PATCH', `/api/boards/${id}`, { frames })
  return { id, callApi }
}

const getNode = (page: Page, name: string) =>
  page.locator('.react-flow__node', { has: page.getByRole('region', { name, exact: true }) })
const getHead = (page: Page, name: string) => getNode(page, name).locator('[data-frame-head]').first()
const getCanvas = (page: Page) => page.getByRole('region', { name: 'Board canvas' })
const getLiveRegion = (page: Page) => page.locator('[data-canvas-live]')
const getSelectedNodes = (page: Page) => page.locator('.react-flow__node.selected')
const getBar = (page: Page) => page.locator('[data-selection-bar]')

/** Position and size of a frame in canvas pixels: x, y, width, height. */
const getFrameBox = (frame: Locator) =>
  frame.evaluate((element: HTMLElement) => {
    const [x, y] = [...element.style.transform.matchAll(/-?[\d.]+/g)].map(Number)
    return [x, y, Number.parseFloat(element.style.width), Number.parseFloat(element.style.height)]
  })

async function drag(page: Page, from: Locator, offset: { x: number; y: number }, whileDragging?: () => Promise<void>) {
  const box = await from.boundingBox()
  if (!box) throw new Error('The frame is not visible')
  const start = { x: box.x + box.width / 2, y: box.y + box.height / 2 }
  await page.mouse.move(start.x, start.y)
  await page.mouse.down()
  await page.mouse.move(start.x + offset.x / 2, start.y + offset.y / 2, { steps: 4 })
  await page.mouse.move(start.x + offset.x, start.y + offset.y, { steps: 4 })
  await whileDragging?.()
  await page.mouse.up()
}

test('Escape or a release in another window ends a move or resize @long', async ({ page, keeper }) => {
  await openBoard(page, keeper, lamp, quay)
  const corner = getNode(page, 'Lamp').locator('[data-corner="se"]')
  await getHead(page, 'Lamp').click()
  for (const [handle, name] of [
    [getHead(page, 'Lamp'), 'a move'],
    [corner, 'a resize'],
  ] as const) {
    await drag(page, handle, { x: 60, y: 60 }, async () => {
      expect(await getFrameBox(getNode(page, 'Lamp'))).not.toEqual([40, 40, 200, 140])
      await page.keyboard.press('Escape')
      await page.mouse.move(600, 500, { steps: 4 })
    })
    expect(await getFrameBox(getNode(page, 'Lamp')), name).toEqual([40, 40, 200, 140])
    await expect(page.locator('[data-guide]')).toHaveCount(0)
    await expect(getSelectedNodes(page), 'the frame stays selected').toHaveCount(1)
  }
  await expect(page.getByRole('button', { name: 'Undo' }), 'there is no step to undo').toBeDisabled()

  const devTools = await page.context().newCDPSession(page)
  await drag(page, getHead(page, 'Lamp'), { x: 60, y: 60 }, async () => {
    await devTools.send('Input.dispatchMouseEvent', { type: 'mouseMoved', x: 700, y: 500, buttons: 0 })
    await expect(getLiveRegion(page)).toHaveText('Lamp moved to 100, 100')
  })
  expect(await getFrameBox(getNode(page, 'Lamp'))).toEqual([100, 100, 200, 140])
})

test('Space scrolls code in a frame, and Ctrl with the wheel zooms no page @long', async ({ page, keeper }) => {
  const code = Array.from({ length: 40 }, (_, index) => `line ${index}`).join('\n')
  await openBoard(page, keeper, { ...quay, content: { code } })
  const codeBox = getNode(page, 'Quay').locator('pre')
  await codeBox.focus()
  await page.keyboard.press('Space')
  await expect.poll(() => codeBox.evaluate(({ scrollTop }) => scrollTop)).toBeGreaterThan(0)

  await getHead(page, 'Quay').click()
  await page.evaluate(() => {
    const listener = (event: WheelEvent) => document.body.setAttribute('data-zooms', String(!event.defaultPrevented))
    addEventListener('wheel', listener)
  })
  for (const bar of [getBar(page), page.locator('[data-canvas-tools]')]) {
    await page.evaluate(() => document.body.removeAttribute('data-zooms'))
    await bar.hover()
    await page.keyboard.down('Control')
    await page.mouse.wheel(0, 20)
    await page.keyboard.up('Control')
    await expect(page.locator('body')).toHaveAttribute('data-zooms', 'false')
  }
})

test('tool keys are off with the single-key shortcuts @long', async ({ page, keeper }) => {
  await openBoard(page, keeper, quay)
  await page.evaluate(() => localStorage.setItem('keeper-single-keys', 'off'))
  await getCanvas(page).focus()
  await page.keyboard.press('h')
  await expect(getCanvas(page)).not.toHaveAttribute('data-hand')
  await page.evaluate(() => localStorage.removeItem('keeper-single-keys'))
  await page.keyboard.press('h')
  await expect(getCanvas(page)).toHaveAttribute('data-hand', 'true')
})

test('frames move and resize by mouse on the grid, and undo takes one step each', async ({ page, keeper }) => {
  await openBoard(page, keeper, lamp, quay)
  await drag(page, getHead(page, 'Lamp'), { x: 33, y: 57 }, async () => {
    await expect(page.locator('[data-guide="y"]').first()).toBeVisible()
  })
  expect(await getFrameBox(getNode(page, 'Lamp'))).toEqual([80, 100, 200, 140])
  await expect(getLiveRegion(page)).toHaveText('Lamp moved to 80, 100')
  await expect(page.locator('[data-guide]')).toHaveCount(0)

  await drag(page, getNode(page, 'Lamp').locator('[data-corner="se"]'), { x: 51, y: 29 })
  expect(await getFrameBox(getNode(page, 'Lamp'))).toEqual([80, 100, 260, 160])
  await expect(getLiveRegion(page)).toHaveText('Lamp resized to 260 by 160')

  await page.keyboard.down('Control')
  await drag(page, getHead(page, 'Lamp'), { x: 3, y: 94 })
  await page.keyboard.up('Control')
  expect(await getFrameBox(getNode(page, 'Lamp'))).toEqual([83, 194, 260, 160])

  for (const expectedBox of [
    [80, 100, 260, 160],
    [80, 100, 200, 140],
    [40, 40, 200, 140],
  ]) {
    await page.keyboard.press('Control+z')
    await expect.poll(() => getFrameBox(getNode(page, 'Lamp'))).toEqual(expectedBox)
  }
  await page.keyboard.press('Control+Shift+z')
  await page.keyboard.press('Control+y')
  await expect.poll(() => getFrameBox(getNode(page, 'Lamp'))).toEqual([80, 100, 260, 160])
  expect(await getFrameBox(getNode(page, 'Quay'))).toEqual([420, 100, 200, 140])
})

/** Twenty frames in five columns, larger than the canvas at 100%. */
const wall = Array.from(
  { length: 20 },
  (_, index): FrameSpec => ({
    ...quay,
    name: `Plank-${index + 1}`,
    x: (index % 5) * 400,
    y: Math.floor(index / 5) * 300,
  }),
)

test('a board opens zoomed to fit, then at its last view; Shift+1 fits again @long', async ({ page, keeper }) => {
  const { id } = await createBoard(page, keeper, ...wall)
  await showBoard(page, id, wall)
  const zoom = page.getByRole('button', { name: /^Zoom, / })
  for (const { name } of wall) await expect(getNode(page, name)).toBeInViewport({ ratio: 0.99 })
  await expect(zoom).not.toHaveText('100%')
  const minimap = page.locator('[data-minimap]')
  await expect(minimap, 'the minimap has nothing to show').toHaveAttribute('data-whole')

  await getCanvas(page).focus()
  await page.keyboard.press('Control+0')
  await expect(zoom).toHaveText('100%')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowRight')
  await expect(minimap).not.toHaveAttribute('data-whole')
  const getView = async () => {
    const box = await getNode(page, 'Plank-8').boundingBox()
    return { x: Math.round(box?.x ?? 0), y: Math.round(box?.y ?? 0), zoom: await zoom.textContent() }
  }
  await expect.poll(() => page.evaluate(() => localStorage.getItem('keeper-board-views') ?? '')).toContain(id)
  const view = await getView()
  await page.reload()
  await expect(getNode(page, 'Plank-8')).toBeVisible()
  expect(await getView()).toEqual(view)
  await expect(getNode(page, 'Plank-20')).not.toBeInViewport()

  await getCanvas(page).focus()
  await page.keyboard.press('Shift+Digit1')
  await expect(getNode(page, 'Plank-20')).toBeInViewport({ ratio: 0.99 })
  await expect(getNode(page, 'Plank-1')).toBeInViewport({ ratio: 0.99 })
})

test('the selection bar stays in the visible canvas at every edge @long', async ({ page, keeper }) => {
  await openBoard(page, keeper, lamp, { ...quay, x: 420, y: 100, height: 1400 })
  const pane = await getCanvas(page).boundingBox()
  if (!pane) throw new Error('The canvas is not visible')
  await getCanvas(page).focus()
  await page.keyboard.press('Control+0')
  for (const name of ['Lamp', 'Quay']) {
    await getHead(page, name).click()
    await expect(getBar(page)).toBeVisible()
    for (const [dx, dy] of [
      [0, 900],
      [0, -900],
      [900, 0],
      [-900, 0],
    ] as const) {
      // Pans until the frame leaves the view, and back.
      for (const direction of [1, -1]) {
        for (let step = 0; step < 10; step++) {
          await page.mouse.move(pane.x + pane.width / 2, pane.y + pane.height - 90)
          await page.mouse.wheel((direction * dx) / 5, (direction * dy) / 5)
          await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)))
          const box = (await getBar(page).count()) > 0 && (await getBar(page).boundingBox())
          if (!box) continue
          expect(box.x, name).toBeGreaterThanOrEqual(pane.x)
          expect(box.y, name).toBeGreaterThanOrEqual(pane.y)
          expect(box.x + box.width, name).toBeLessThanOrEqual(pane.x + pane.width)
          expect(box.y + box.height, name).toBeLessThanOrEqual(pane.y + pane.height)
        }
      }
    }
    await page.keyboard.press('Escape')
  }
})

test('frames are selected together, aligned, distributed and moved @long', async ({ page, keeper }) => {
  await openBoard(page, keeper, lamp, quay, ferry)
  await getHead(page, 'Lamp').click()
  await getHead(page, 'Quay').click({ modifiers: ['Shift'] })
  await expect(getSelectedNodes(page)).toHaveCount(2)
  await getBar(page).getByRole('button', { name: 'Align top' }).click()
  expect(await getFrameBox(getNode(page, 'Quay'))).toEqual([420, 40, 200, 140])
  await drag(page, getHead(page, 'Quay'), { x: 40, y: 0 })
  expect(await getFrameBox(getNode(page, 'Lamp'))).toEqual([80, 40, 200, 140])
  expect(await getFrameBox(getNode(page, 'Quay'))).toEqual([460, 40, 200, 140])

  const pane = await getCanvas(page).boundingBox()
  const ferryBox = await getHead(page, 'Ferry').boundingBox()
  if (!pane || !ferryBox) throw new Error('The canvas is not visible')
  await page.mouse.click(pane.x + 20, pane.y + 300)
  await expect(getSelectedNodes(page)).toHaveCount(0)
  await page.mouse.move(pane.x + 20, ferryBox.y - 20)
  await page.mouse.down()
  await page.mouse.move(pane.x + 120, ferryBox.y + 30, { steps: 5 })
  await page.mouse.up()
  await expect(getSelectedNodes(page)).toHaveCount(1)
  await expect(getBar(page)).toHaveAttribute('aria-label', 'Ferry')

  await page.keyboard.press('Control+a')
  await expect(getSelectedNodes(page)).toHaveCount(3)
  await getBar(page).getByRole('button', { name: 'Distribute vertically' }).click()
  await expect(getLiveRegion(page)).toHaveText('3 frames distributed vertically')
  await getBar(page).getByRole('button', { name: 'Align left' }).click()
  for (const name of ['Lamp', 'Quay', 'Ferry']) expect((await getFrameBox(getNode(page, name)))[0]).toBe(40)
})

test('a board is arranged and copied by keyboard with announcements @long', async ({ page, keeper }) => {
  const { callApi } = await openBoard(page, keeper, lamp, quay, ferry)
  await getCanvas(page).focus()
  await page.keyboard.press('Tab')
  await expect(getNode(page, 'Lamp')).toBeFocused()
  await page.keyboard.press('ArrowRight')
  await expect(getLiveRegion(page)).toHaveText('Lamp moved to 60, 40')
  await page.keyboard.press('Shift+ArrowDown')
  await expect(getLiveRegion(page)).toHaveText('Lamp moved to 60, 140')
  await page.keyboard.press('Alt+ArrowRight')
  await expect(getLiveRegion(page)).toHaveText('Lamp resized to 220 by 140')

  await page.keyboard.press('Tab')
  await expect(getNode(page, 'Quay')).toBeFocused()
  await page.keyboard.press('Shift+Tab')
  await expect(getNode(page, 'Lamp')).toBeFocused()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Control+d')
  await expect(getLiveRegion(page)).toHaveText('Quay duplicated')
  await expect(getNode(page, 'Quay')).toHaveCount(2)
  await page.keyboard.press('Delete')
  await expect(getNode(page, 'Quay')).toHaveCount(1)
  await page.keyboard.press('Control+z')
  await expect(getNode(page, 'Quay')).toHaveCount(2)
  await expect(getLiveRegion(page)).toHaveText('Undone: Delete Quay')
  await page.keyboard.press('Control+z')
  await expect(getNode(page, 'Quay')).toHaveCount(1)

  await getCanvas(page).focus()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Shift+Enter')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Shift+Enter')
  await expect(getLiveRegion(page)).toHaveText('2 frames selected')
  await page.keyboard.press('Escape')
  await expect(getSelectedNodes(page)).toHaveCount(0)

  await page.keyboard.press('Enter')
  await expect(getNode(page, 'Quay')).not.toBeFocused()
  await expect(getNode(page, 'Quay').locator(':focus')).toHaveCount(1)
  await page.keyboard.press('Escape')
  await expect(getNode(page, 'Quay')).toBeFocused()

  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Control+c')
  await page.keyboard.press('Control+v')
  await expect(getNode(page, 'Quay')).toHaveCount(2)
  expect(await getFrameBox(getSelectedNodes(page))).toEqual([460, 140, 200, 140])
  const { id } = await callApi('POST', '/api/boards', { name: 'Another' })
  await page.keyboard.press('Control+x')
  await expect(getNode(page, 'Quay')).toHaveCount(1)
  await page.goto(`/studio/board-studio?board=${id}`)
  await expect(getHead(page, 'Cover')).toBeVisible()
  await page.keyboard.press('Control+v')
  await expect(getNode(page, 'Quay')).toHaveCount(1)
})

test("a picture moves with its frame to another board, or says it can't @long", async ({ page, keeper, watch }) => {
  watch.expectLine(/ERR_FAILED/)
  const { callApi } = await openBoard(page, keeper, { type: 'media_card', name: 'Front', x: 40, y: 40 })
  const picture = getNode(page, 'Front').locator('img')
  const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
  const file = { name: 'lamp.png', mimeType: 'image/png', buffer: Buffer.from(png, 'base64') }
  await getNode(page, 'Front').getByLabel('Choose a picture').setInputFiles(file)
  await expect(picture).toBeVisible()
  await getHead(page, 'Front').click()
  await page.keyboard.press('Control+x')
  await expect(getNode(page, 'Front')).toHaveCount(0)
  const pasteOnAnother = async () => {
    const { id } = await callApi('POST', '/api/boards', { name: 'Another' })
    await page.goto(`/studio/board-studio?board=${id}`)
    await expect(getHead(page, 'Cover')).toBeVisible()
    await getCanvas(page).focus()
    await page.keyboard.press('Control+v')
    await expect(getNode(page, 'Front')).toHaveCount(1)
  }

  await pasteOnAnother()
  await expect(picture).toBeVisible()
  await page.keyboard.press('Control+z')
  await expect(getNode(page, 'Front'), 'frame and picture are one undo step').toHaveCount(0)
  await page.keyboard.press('Control+Shift+z')
  await expect(picture).toBeVisible()

  await page.route(/\/pictures\//, (route) => route.abort())
  await pasteOnAnother()
  await expect(getLiveRegion(page)).toHaveText(/^Front pasted without its picture\. .+ Choose it again here\.$/)
})

test('frames are added from the library by click and by drag @long', async ({ page, keeper }) => {
  await openBoard(page, keeper, lamp)
  const library = page.getByRole('region', { name: 'Frame Library' }).last()
  await expect(library.getByText('10 frames')).toBeVisible()
  await library.getByRole('searchbox', { name: 'Search frames...' }).fill('nothing like it')
  await expect(library.getByText('No frames found matching your search.')).toBeVisible()
  await library.getByRole('searchbox').fill('CODE')
  await expect(library.getByRole('listitem')).toHaveCount(1)
  await library.getByRole('searchbox').fill('')
  await library.getByRole('button', { name: 'About Dialog Frame' }).click()
  await expect(library.getByText('Ask an agent that knows a keeper')).toBeVisible()
  await expect(library.getByText('Think out loud')).toBeVisible()
  await expect(library.getByText('Prepare a decision'), 'it shows 2 examples, as in the specification').toHaveCount(0)

  await library.getByRole('button', { name: 'Add Code Snippet' }).click()
  await expect(getLiveRegion(page)).toHaveText(/^Code Snippet added at -?\d+0, -?\d+0$/)
  await expect(getNode(page, 'Code Snippet')).toHaveCount(1)

  const entry = library.getByRole('button', { name: 'Add Media Card' })
  const [from, to] = [await entry.boundingBox(), await getCanvas(page).boundingBox()]
  if (!from || !to) throw new Error('One of the frames is not visible')
  await page.mouse.move(from.x + 60, from.y + 20)
  await page.mouse.down()
  await page.mouse.move(from.x - 100, from.y + 40, { steps: 4 })
  await page.mouse.move(to.x + 333, to.y + 577, { steps: 4 })
  await expect(page.locator('[data-drop-target]')).toHaveText('Drop here')
  await expect(page.locator('[data-drag-ghost]')).toHaveText('Media Card')
  await page.keyboard.press('Escape')
  await page.mouse.up()
  await expect(page.locator('[data-drag-ghost]')).toHaveCount(0)
  await expect(getNode(page, 'Media Card')).toHaveCount(0)

  await page.mouse.move(from.x + 60, from.y + 20)
  await page.mouse.down()
  await page.mouse.move(to.x + 333, to.y + 577, { steps: 8 })
  await page.mouse.up()
  await expect(getNode(page, 'Media Card')).toHaveCount(1)
  const [x = 1, y = 1] = await getFrameBox(getNode(page, 'Media Card'))
  expect([x % 20, y % 20].map(Math.abs)).toEqual([0, 0])
  await expect(page.locator('[data-drop-target]')).toHaveCount(0)
})

test('tools draw frames and text, and the view pans and zooms @long', async ({ page, keeper }) => {
  await openBoard(page, keeper, lamp)
  const pane = await getCanvas(page).boundingBox()
  if (!pane) throw new Error('The canvas is not visible')
  const tools = page.getByRole('toolbar', { name: 'Canvas tools' })
  await tools.getByRole('button', { name: 'Draw a frame (F)' }).click()
  await page.mouse.move(pane.x + 361, pane.y + 303)
  await page.mouse.down()
  await page.mouse.move(pane.x + 600, pane.y + 460, { steps: 5 })
  await page.mouse.up()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /Process Frame/ })
    .click()
  const [, , width = 0, height = 0] = await getFrameBox(getNode(page, 'Process Frame'))
  expect({ width, height }).toEqual({ width: 240, height: 160 })
  await page.keyboard.press('t')
  await page.mouse.click(pane.x + 60, pane.y + 400)
  await expect(getNode(page, 'Text')).toHaveCount(1)

  const zoom = tools.getByRole('button', { name: /^Zoom, / })
  const getView = () => page.locator('.react-flow__viewport').evaluate(({ style }: HTMLElement) => style.transform)
  const initial = await getView()
  await page.mouse.move(pane.x + 500, pane.y + 60)
  await page.mouse.wheel(30, 50)
  await expect.poll(getView).not.toBe(initial)
  await page.keyboard.press('Control+-')
  await expect(zoom).not.toHaveText('100%')
  await page.keyboard.press('Control+0')
  await expect(zoom).toHaveText('100%')
  await page.keyboard.down('Control')
  for (let step = 0; step < 40; step++) await page.mouse.wheel(0, 400)
  await expect(zoom).toHaveText('10%')
  for (let step = 0; step < 60; step++) await page.mouse.wheel(0, -400)
  await expect(zoom).toHaveText('400%')
  await page.keyboard.up('Control')
  await page.keyboard.press('Shift+Digit1')
  await expect(zoom).not.toHaveText('400%')
  await expect(getHead(page, 'Lamp')).toBeInViewport()

  await page.keyboard.press('h')
  const viewBeforePan = await getView()
  await page.mouse.move(pane.x + 500, pane.y + 60)
  await page.mouse.down()
  await page.mouse.move(pane.x + 560, pane.y + 90, { steps: 4 })
  await page.mouse.up()
  await expect.poll(getView).not.toBe(viewBeforePan)
  await page.keyboard.press('v')
  await zoom.click()
  await page.getByRole('menuitemcheckbox', { name: 'Minimap' }).click()
  await expect(page.locator('[data-minimap]')).toHaveCount(0)
})

test('a new frame appears in view; the view moves only if it has no space @long', async ({ page, keeper }) => {
  await page.setViewportSize({ width: 1600, height: 900 })
  const getView = () => page.locator('.react-flow__viewport').evaluate(({ style }: HTMLElement) => style.transform)
  // The space below the wall is nearer to the center, but half out of view.
  const largeFrame = { ...quay, name: 'Wall', x: 300, y: 0, width: 704, height: 540 }
  await openBoard(page, keeper, { ...lamp, x: 0, y: 0 }, largeFrame)
  const initial = await getView()
  await page.getByRole('button', { name: 'Add Code Snippet', exact: true }).click()
  await expect(getNode(page, 'Code Snippet')).toBeInViewport({ ratio: 1 })
  expect(await getView()).toBe(initial)
  expect((await getFrameBox(getNode(page, 'Code Snippet')))[0]).toBe(-40)

  await page.getByRole('button', { name: 'Add Dialog Frame', exact: true }).click()
  await expect(getNode(page, 'Dialog Frame')).toBeInViewport({ ratio: 1 })
  expect(await getView()).not.toBe(initial)
  await expect(getNode(page, 'Wall'), 'the view moves no farther than needed').toBeInViewport({ ratio: 0.7 })
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })

  test('swiping a frame’s head drags it; swiping elsewhere pans @long', async ({ page, keeper }) => {
    await openBoard(page, keeper, lamp)
    const devtools = await page.context().newCDPSession(page)
    const swipe = async (from: { x: number; y: number }, offset: { x: number; y: number }) => {
      const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', share: number) =>
        devtools.send('Input.dispatchTouchEvent', {
          type,
          touchPoints: type === 'touchEnd' ? [] : [{ x: from.x + offset.x * share, y: from.y + offset.y * share }],
        })
      await touch('touchStart', 0)
      for (const share of [0.2, 0.4, 0.6, 0.8, 1]) await touch('touchMove', share)
      await touch('touchEnd', 1)
    }
    const headBox = await getHead(page, 'Lamp').boundingBox()
    if (!headBox) throw new Error('The frame is not visible')
    await swipe({ x: headBox.x + 60, y: headBox.y + 12 }, { x: 40, y: 80 })
    await expect.poll(() => getFrameBox(getNode(page, 'Lamp'))).toEqual([80, 120, 200, 140])
    const initial = await getHead(page, 'Lamp').boundingBox()
    await swipe({ x: 200, y: 640 }, { x: 0, y: -100 })
    await expect
      .poll(async () => (await getHead(page, 'Lamp').boundingBox())?.y)
      .toBeCloseTo((initial?.y ?? 0) - 100, -1)
    expect(await getFrameBox(getNode(page, 'Lamp'))).toEqual([80, 120, 200, 140])
  })
})
