import type { Page } from '@playwright/test'
import { listAddresses, navigateInApp, visitorPaths } from './all-routes.ts'
import { expect, test } from './fixtures.ts'

const viewports = [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
]
/** At the browser's default font size of 32 px, twice the usual one. */
const doubledBodyFontSize = '28px'

test.use({
  launchOptions: [
    async ({ launchOptions }, use) => {
      const args = [...(launchOptions.args ?? []), '--blink-settings=defaultFontSize=32']
      await use({ ...launchOptions, args })
    },
    { scope: 'worker' },
  ],
})

for (const viewport of viewports) {
  test(`text of twice the size fits every page ${viewport.width} px wide @long`, async ({ page, keeper }) => {
    test.setTimeout(240_000)
    const addresses = await listAddresses(page, keeper)
    await page.setViewportSize(viewport)
    for (const address of addresses) {
      await navigateInApp(page, address)
      await expect.soft(page.locator('main .animate-shimmer'), address).toHaveCount(0)
      await expectTextFits(page, `${address} at ${viewport.width}`)
    }
  })
}

test('text of twice the size fits the pages of visitors', async ({ page, watch }) => {
  watch.expectLine(/status of 404/)
  for (const address of [...visitorPaths, '/kip', '/debug', '/board-demo', '/nobody-here']) {
    for (const viewport of viewports) {
      await page.setViewportSize(viewport)
      await page.goto(address)
      await expect(page.getByRole('heading', { level: 1 }), address).toBeVisible()
      await expectTextFits(page, `${address} at ${viewport.width}`)
    }
  }
})

async function expectTextFits(page: Page, label: string): Promise<void> {
  const fontSize = await page.evaluate(() => getComputedStyle(document.body).fontSize)
  expect(fontSize, label).toBe(doubledBodyFontSize)
  await expect.soft(async () => expect(await page.evaluate(listMisfits)).toEqual([]), label).toPass({ timeout: 2_000 })
  expect.soft(await page.evaluate(listOverlaps), `${label}: overlapping controls`).toEqual([])
}

/** Pairs of controls whose visible parts overlap. */
function listOverlaps(): string[] {
  const tolerancePx = 3
  const controls =
    'a[href],button,input:not([type="hidden"]),select,textarea,summary,[role="tab"],[role="switch"],[role="checkbox"]'
  const excluded = '.react-flow, [inert], [aria-hidden="true"], [class*="sr-only"], .debug-tab'
  const getLayer = (element: Element): Element | null => {
    for (let box: Element | null = element; box && box !== document.body; box = box.parentElement)
      if (['fixed', 'sticky'].includes(getComputedStyle(box).position)) return box
    return null
  }
  const getVisibleBox = (element: Element) => {
    let { left, right, top, bottom } = element.getBoundingClientRect()
    for (let box = element.parentElement; box && box !== document.body; box = box.parentElement) {
      const style = getComputedStyle(box)
      if (style.overflowX === 'visible' && style.overflowY === 'visible') continue
      const edge = box.getBoundingClientRect()
      left = Math.max(left, edge.left)
      right = Math.min(right, edge.right)
      top = Math.max(top, edge.top)
      bottom = Math.min(bottom, edge.bottom)
    }
    return { left, right, top, bottom }
  }
  const items = [...document.querySelectorAll(controls)]
    .filter((element) => element.checkVisibility({ opacityProperty: true, visibilityProperty: true }))
    .filter((element) => !element.closest(excluded))
    .map((element) => ({ element, layer: getLayer(element), box: getVisibleBox(element) }))
  const overlaps: string[] = []
  for (const [index, one] of items.entries()) {
    for (const other of items.slice(index + 1)) {
      if (one.layer !== other.layer || one.element.contains(other.element)) continue
      const width = Math.min(one.box.right, other.box.right) - Math.max(one.box.left, other.box.left)
      const height = Math.min(one.box.bottom, other.box.bottom) - Math.max(one.box.top, other.box.top)
      if (width <= tolerancePx || height <= tolerancePx) continue
      // A button inside a field covers the field's padding.
      const padding = Number.parseFloat(getComputedStyle(one.element).paddingInlineEnd)
      if (one.element.matches('input') && padding >= one.box.right - other.box.left - tolerancePx) continue
      overlaps.push(`${one.element.outerHTML.slice(0, 160)} and ${other.element.outerHTML.slice(0, 160)}`)
    }
  }
  return overlaps
}

/** Horizontal scrolling, text outside its control, and text cut off without intended truncation. */
function listMisfits(): string[] {
  const tolerancePx = 4
  const root = document.documentElement
  const misfits = new Set<string>()
  if (root.scrollWidth > root.clientWidth) misfits.add(`the page is ${root.scrollWidth - root.clientWidth} px too wide`)
  const getLabel = (element: Element) =>
    `"${element.textContent.trim().slice(0, 40)}" in ${element.outerHTML.slice(0, 160)}`
  // A canvas scales its content.
  const excluded = 'svg, .react-flow, .sr-only, [aria-hidden="true"], [class*="sr-only"], option'
  const isTruncated = (style: CSSStyleDeclaration) =>
    style.textOverflow === 'ellipsis' || style.webkitLineClamp !== 'none'
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  while (walker.nextNode()) {
    const text = walker.currentNode
    const owner = text.parentElement
    if (!owner || !text.textContent?.trim() || owner.closest(excluded)) continue
    if (!owner.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue
    const range = document.createRange()
    range.selectNodeContents(text)
    const { left, right, top, bottom } = range.getBoundingClientRect()
    const fontSize = Number.parseFloat(getComputedStyle(owner).fontSize)
    const isOneLetterWide = right - left < 1.2 * fontSize && bottom - top > 3 * fontSize
    if (isOneLetterWide && left < right) misfits.add(`one letter per line: ${getLabel(owner)}`)
    for (let box: Element | null = owner; box && box !== document.body; box = box.parentElement) {
      const style = getComputedStyle(box)
      if (isTruncated(style) || style.position === 'fixed') break
      if (style.display.startsWith('inline') && !box.matches('button,a')) continue
      const edge = box.getBoundingClientRect()
      if (edge.width <= 1 || edge.height <= 1 || style.clipPath !== 'none') break
      const isControl = box.matches('button,a,[role="tab"]') && !style.display.startsWith('inline ')
      const beyondX = Math.max(right - edge.right, edge.left - left) > tolerancePx
      const beyondY = Math.max(bottom - edge.bottom, edge.top - top) > tolerancePx
      const isScrollable = ['auto', 'scroll'].includes(style.overflowX) || ['auto', 'scroll'].includes(style.overflowY)
      if (isScrollable) break
      const isCutX = beyondX && ['hidden', 'clip'].includes(style.overflowX)
      const isCutY = beyondY && ['hidden', 'clip'].includes(style.overflowY)
      if (isCutX || isCutY) misfits.add(`cut: ${getLabel(owner)} by ${box.getAttribute('class')?.slice(0, 80)}`)
      if (isControl && style.display !== 'inline' && (beyondX || beyondY))
        misfits.add(`outside its control: ${getLabel(box)}`)
      if (isCutX || isCutY) break
    }
    if (
      right > innerWidth + tolerancePx &&
      left < right &&
      !owner.closest('[class*="overflow-x"]') &&
      root.scrollWidth > root.clientWidth
    )
      misfits.add(`outside the window: ${getLabel(owner)}`)
  }
  const measure = document.createElement('canvas').getContext('2d')
  for (const select of document.querySelectorAll('select')) {
    const style = getComputedStyle(select)
    const fieldWidth = select.closest('[data-field]')?.parentElement?.clientWidth ?? 0
    const space = select.clientWidth - Number.parseFloat(style.paddingLeft) - Number.parseFloat(style.paddingRight)
    if (measure) measure.font = style.font
    const width = measure?.measureText(select.selectedOptions[0]?.textContent ?? '').width ?? 0
    const canGrow = select.offsetWidth < 0.75 * fieldWidth
    if (select.checkVisibility() && width > space + tolerancePx && canGrow)
      misfits.add(`cut: the selected option of ${select.outerHTML.slice(0, 160)}`)
  }
  return [...misfits]
}
