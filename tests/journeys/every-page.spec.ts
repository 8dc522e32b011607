import type { Page } from '@playwright/test'
import { viewModes } from '#web/page/view-mode.ts'
import { createContent, listAddresses, navigateInApp, visitorPaths } from './all-routes.ts'
import { expectNoViolations, findViolations } from './expect-no-violations.ts'
import { expect, test } from './fixtures.ts'
import { getActiveRows } from './locators.ts'

const desk = { width: 1440, height: 900 }
const phone = { width: 390, height: 844 }
/** Also a narrow phone, and a desktop of 1280 × 900 at 200%. */
const smallSizes = [phone, { width: 320, height: 640 }, { width: 640, height: 450 }]
const shardCount = 3
/** Signed-in pages outside the layout with the sidebar. */
const addressesWithoutSidebar = ['/debug', '/kip', '/ceox', '/lamp-lighter']
const unknownAddress = '/nothing/is/here'

test('every page has a title and one active row, logs nothing and fits a phone', async ({ page, keeper }) => {
  test.setTimeout(180_000)
  const readConsole = collectConsole(page)
  const addresses = await listAddresses(page, keeper)
  expect(addresses).toEqual(expect.arrayContaining([...addressesWithoutSidebar, unknownAddress]))
  for (const address of addresses) {
    await page.setViewportSize(desk)
    await navigateInApp(page, address)
    await expectSettled(page, address)
    if (!addressesWithoutSidebar.includes(address))
      await expectActiveRows(page, address, address === unknownAddress ? 0 : 1)
    await page.setViewportSize(phone)
    await expectFits(page, address)
    expect.soft(await page.evaluate(listSmallTargets), `${address}: buttons smaller than a fingertip`).toEqual([])
    expect.soft(readConsole(), `${address} logs nothing`).toEqual([])
  }
})

for (let shard = 0; shard < shardCount; shard++) {
  test(`every page has a title, focus and no WCAG violations (${shard + 1} of ${shardCount}) @long`, async ({
    page,
    keeper,
  }) => {
    test.setTimeout(300_000)
    const addresses = await listAddresses(page, keeper)
    const readConsole = collectConsole(page)
    for (const [index, address] of addresses.entries()) {
      if (index % shardCount !== shard) continue
      await page.setViewportSize(desk)
      await navigateInApp(page, address)
      await expectSettled(page, address)
      await expect
        .poll(() => page.evaluate(() => document.querySelector('main')?.contains(document.activeElement)), {
          message: `${address} has the focus in its content`,
        })
        .toBe(true)
      expect
        .soft(await page.evaluate(listRunningAnimations), `${address}: no animation with reduced motion`)
        .toEqual([])
      await expectNoViolations(page, address)
      for (const size of smallSizes) {
        await page.setViewportSize(size)
        const viewportLabel = `${address} at ${size.width} × ${size.height}`
        await expectFits(page, viewportLabel)
        if (size.width === 390) expect.soft(await findViolations(page, { rules: sizeRules }), viewportLabel).toEqual([])
      }
      expect.soft(readConsole(), `${address} logs nothing`).toEqual([])
    }
  })
}

test('visitor pages have a title and fit every screen', async ({ page, watch }) => {
  watch.expectLine(/status of 404/)
  const readConsole = collectConsole(page)
  for (const address of [...visitorPaths, '/kip', '/debug', '/board-demo', '/api', '/nobody-here']) {
    await page.setViewportSize(desk)
    await page.goto(address)
    await expectSettled(page, address)
    await page.keyboard.press('Tab')
    for (const size of smallSizes) {
      await page.setViewportSize(size)
      await expectFits(page, `${address} at ${size.width} × ${size.height}`)
    }
    expect.soft(readConsole(), `${address} logs nothing`).toEqual([])
  }
})

test('the first key skips to the content on each layout @long', async ({ page, keeper }) => {
  const params = await createContent(page, keeper)
  for (const address of ['/root', '/kip', '/debug', '/studio/board-studio', `/keeper/${params.id}/dashboard`]) {
    await page.goto(address)
    await expectSkipLink(page, address)
  }
  await page.evaluate(() => localStorage.clear())
  for (const address of ['/', '/login', '/register', '/kip', '/board-demo']) {
    await page.goto(address)
    await expectSkipLink(page, address)
  }
})

async function expectSkipLink(page: Page, address: string): Promise<void> {
  await expectSettled(page, address)
  const link = page.getByRole('link', { name: 'Skip to content' })
  await expect(link, address).toHaveCount(1)
  // A chat focuses its message box, so the test resets the focus.
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur())
  await link.focus()
  await expect(link, address).toBeInViewport()
  await page.keyboard.press('Enter')
  await expect(page.locator('main'), address).toBeFocused()
}

async function expectSettled(page: Page, address: string): Promise<void> {
  const heading = page.getByRole('heading', { level: 1 })
  await expect.soft(heading, `${address} has one h1`).toHaveCount(1)
  await expect.soft(heading, address).toBeAttached()
  await expect.soft(page, address).toHaveTitle(/\S+.* · Keeper$|^Keeper/)
  await expect.soft(page.locator('main').getByText('Loading...', { exact: true }), address).toHaveCount(0)
  await expect.soft(page.locator('main .animate-shimmer'), address).toHaveCount(0)
}

async function expectActiveRows(page: Page, address: string, expectedCount: number): Promise<void> {
  for (const [index, mode] of viewModes.entries()) {
    await page.keyboard.press(`Alt+${index + 1}`)
    await expect(page.getByRole('radio', { checked: true }).first(), address).toHaveValue(mode)
    await expect.soft(getActiveRows(page), `${address} in ${mode}`).toHaveCount(expectedCount)
  }
}

function collectConsole(page: Page): () => string[] {
  const messages: string[] = []
  page.on('console', (message) => messages.push(`${message.type()}: ${message.text()}`))
  const expectedLines = /status of 404|Service Worker registration blocked by Playwright/
  return () => messages.splice(0).filter((line) => !expectedLines.test(line))
}

/** Rules that a smaller screen may violate, and the order of headings; colors don't depend on the size. */
const sizeRules = [
  'heading-order',
  'target-size',
  'scrollable-region-focusable',
  'button-name',
  'link-name',
  'label',
  'aria-hidden-focus',
]

function listRunningAnimations(): string[] {
  return document
    .getAnimations()
    .filter(({ playState, effect }) => playState === 'running' && Number(effect?.getComputedTiming().duration) > 0)
    .map((animation) => `${animation instanceof CSSAnimation ? animation.animationName : animation.id}`)
}

/** Pages that adapt a frame later, such as a canvas, get two seconds. */
async function expectFits(page: Page, viewportLabel: string): Promise<void> {
  const softly = expect.configure({ soft: true })
  await softly.poll(() => page.evaluate(findUnreachable), { message: viewportLabel, timeout: 2_000 }).toEqual([])
}

/** Buttons and tabs that take taps on less than 40 px of height, including their pseudo-elements (see `.tap-area`). */
function listSmallTargets(): string[] {
  const minHeight = 40
  return [...document.querySelectorAll<HTMLElement>('button,summary,[role="tab"]')]
    .filter((element) => element.checkVisibility({ opacityProperty: true, visibilityProperty: true }))
    .filter((element) => !element.closest('.react-flow, [inert], [aria-hidden="true"], .debug-tab'))
    .filter((element) => {
      const { height } = element.getBoundingClientRect()
      const tapHeights = ['::before', '::after']
        .map((name) => getComputedStyle(element, name))
        .map((style) => (style.position === 'absolute' && Number.parseFloat(style.height)) || 0)
      return height > 1 && Math.max(height, ...tapHeights) < minHeight - 0.5
    })
    .map((element) => `${element.ariaLabel ?? element.textContent} ${element.offsetHeight}`)
}

/** Horizontal page overflow and elements beyond the edge outside of scroll containers. */
function findUnreachable(): string[] {
  const overflow = document.documentElement.scrollWidth - document.documentElement.clientWidth
  const problems = overflow > 0 ? [`the page is ${overflow} px too wide`] : []
  const isInScroller = (element: Element | null): boolean =>
    element !== null &&
    element !== document.body &&
    (['auto', 'scroll'].includes(getComputedStyle(element).overflowX) ||
      element.matches('.react-flow') ||
      isInScroller(element.parentElement))
  for (const element of document.querySelectorAll('a,button,input,textarea,select,h1,h2,h3,p,li,label,th,td,dt,dd')) {
    const { left, right, width, height } = element.getBoundingClientRect()
    const isInside = left >= -1 && right <= innerWidth + 1
    if (isInside || !width || !height || right < 0) continue
    if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue
    // DEBUG gives way to what people write; it can be reached by keyboard.
    if (element.matches('.debug-tab[data-away]')) continue
    if (!isInScroller(element.parentElement))
      problems.push(`from ${left} to ${right}: ${element.outerHTML.slice(0, 160)}`)
  }
  return problems
}
