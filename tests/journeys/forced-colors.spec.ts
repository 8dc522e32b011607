import type { Page } from '@playwright/test'
import { createContent, navigateInApp, resolvePath } from './all-routes.ts'
import { expect, test } from './fixtures.ts'

test.use({ contextOptions: { reducedMotion: 'reduce', forcedColors: 'active' } })

const screens = [
  '/root/profile',
  '/root/domain',
  '/studio/agents',
  '/studio/agents?tab=agent&agentId=:agentId',
  '/studio/kip/logs?run=:run',
  '/studio/themes',
  '/studio/board-studio',
  '/library',
  '/keeper',
  '/keeper/new',
  '/keeper/:id/dashboard',
  '/keeper/:id/memory',
  '/keeper/:id/moments',
  '/keeper/:id/reflection-journal',
  '/debug',
  '/kip',
]

test('focus, choices and icons stay visible in forced colors @long', async ({ page, keeper }) => {
  test.setTimeout(180_000)
  const params = await createContent(page, keeper)
  await page.setViewportSize({ width: 1440, height: 900 })
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  const testedKinds = new Set<string>()
  for (const screen of screens) {
    const address = resolvePath(screen, params)
    await navigateInApp(page, address)
    await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1)
    await expect(page.locator('main .animate-shimmer')).toHaveCount(0)
    const { kinds, indistinct } = await page.evaluate(findIndistinct)
    for (const kind of kinds) testedKinds.add(kind)
    expect.soft(indistinct, `${address}: selected, but looks like its neighbor`).toEqual([])
    expect.soft(await findUnringed(page), `${address}: focused without a ring`).toEqual([])
  }
  expect([...testedKinds].toSorted(), 'every kind was found').toEqual(
    ['aria-current', 'aria-pressed', 'bar', 'icon', 'radio', 'tab'].toSorted(),
  )
})

/** Elements whose focus has no outline; forced colors remove shadows. */
async function findUnringed(page: Page): Promise<string[]> {
  const unringed: string[] = []
  for (let stop = 0; stop < 25; stop++) {
    await page.keyboard.press('Tab')
    const unringedElement = await page.evaluate(() => {
      const focused = document.activeElement
      if (!focused || focused === document.body) return undefined
      // The browser outlines the button inside a date field itself.
      if (focused.matches('[type="date"]:not(:focus-visible)')) return undefined
      const hasRing = (element: Element | null, part?: string) => {
        if (!element) return false
        const { outlineStyle, outlineWidth, outlineColor } = getComputedStyle(element, part)
        return outlineStyle !== 'none' && Number.parseFloat(outlineWidth) > 0 && !/, 0\)$/.test(outlineColor)
      }
      const boxes = [focused, focused.parentElement, focused.nextElementSibling, focused.closest('article')]
      return boxes.some((box) => hasRing(box) || hasRing(box, '::after')) ? undefined : focused.outerHTML.slice(0, 160)
    })
    if (unringedElement) unringed.push(unringedElement)
  }
  return unringed
}

/** Selected elements that look like unselected ones, and bars and icons in their background color. */
function findIndistinct(): { kinds: string[]; indistinct: string[] } {
  const kinds = new Set<string>()
  const indistinct: string[] = []
  const describeStyle = (element: Element) => {
    const readStyle = (part?: string) => {
      const style = getComputedStyle(element, part)
      return [
        ...[style.backgroundColor, style.outlineStyle, style.borderStyle, style.borderWidth, style.fontWeight],
        part ? style.height : style.color,
      ].join(' ')
    }
    return `${readStyle()} ${readStyle('::after')}`
  }
  const groups = {
    tab: ['[role="tab"][aria-selected="true"]', '[role="tab"][aria-selected="false"]:not([aria-disabled])'],
    'aria-pressed': ['[aria-pressed="true"]', '[aria-pressed="false"]'],
    'aria-current': ['nav a[aria-current="page"]', 'nav a:not([aria-current])'],
    radio: ['label:has(input[type="radio"]:checked)', 'label:has(input[type="radio"]:not(:checked, :disabled))'],
  }
  for (const [kind, [chosen = '', other = '']] of Object.entries(groups)) {
    for (const element of document.querySelectorAll(chosen)) {
      const neighbor = element
        .closest('[role="tablist"],fieldset,[role="radiogroup"],[role="group"],ul,nav')
        ?.querySelector(other)
      if (!neighbor || !element.checkVisibility()) continue
      kinds.add(kind)
      if (describeStyle(element) === describeStyle(neighbor)) indistinct.push(element.outerHTML.slice(0, 160))
    }
  }
  for (const bar of document.querySelectorAll('[role="progressbar"],[role="meter"]')) {
    kinds.add('bar')
    const [full] = bar.children
    const backgroundColor = getComputedStyle(bar).backgroundColor
    if (full && getComputedStyle(full).backgroundColor === backgroundColor) indistinct.push(bar.outerHTML.slice(0, 160))
  }
  for (const icon of document.querySelectorAll('button svg.lucide, a svg.lucide')) {
    if (!icon.checkVisibility()) continue
    kinds.add('icon')
    let box: Element | null = icon
    while (box && /, 0\)$|transparent/.test(getComputedStyle(box).backgroundColor)) box = box.parentElement
    const backgroundColor = box ? getComputedStyle(box).backgroundColor : 'rgb(255, 255, 255)'
    if (getComputedStyle(icon).color === backgroundColor) indistinct.push(icon.outerHTML.slice(0, 160))
  }
  return { kinds: [...kinds], indistinct }
}
