import type { Page } from '@playwright/test'
import { listAddresses, navigateInApp, visitorPaths } from './all-routes.ts'
import { expect, registerAndSignIn, test } from './fixtures.ts'

const sizes = [
  { width: 1440, height: 900 },
  { width: 768, height: 1024 },
  { width: 390, height: 844 },
]

for (const size of sizes) {
  test(`DEBUG covers nothing on any page ${size.width} px wide @long`, async ({ page, keeper }) => {
    test.setTimeout(240_000)
    // DEBUG leads to /debug, which doesn't show it.
    const addresses = (await listAddresses(page, keeper)).filter((address) => address !== '/debug')
    await page.setViewportSize(size)
    for (const address of addresses) {
      await navigateInApp(page, address)
      await expect.soft(page.locator('main .animate-shimmer'), address).toHaveCount(0)
      await expectCoversNothing(page, address)
    }
  })
}

test('DEBUG covers nothing on the pages of visitors @long', async ({ page, watch }) => {
  test.setTimeout(120_000)
  watch.expectLine(/status of 404/)
  for (const address of [...visitorPaths, '/kip', '/board-demo', '/nobody-here']) {
    for (const size of sizes) {
      await page.setViewportSize(size)
      await page.goto(address)
      await expectCoversNothing(page, `${address} at ${size.width}`)
    }
  }
})

test('DEBUG gives way to scrolling, writing and dialogs, and returns', async ({ page, keeper }) => {
  await registerAndSignIn(page, keeper, 'ada', { path: '/keeper/transfer' })
  const button = page.getByRole('button', { name: 'DEBUG', exact: true })
  await page.setViewportSize({ width: 390, height: 500 })
  await expect(button).toBeInViewport()
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollHeight)).toBeGreaterThan(800)
  await page.mouse.move(100, 250)
  await page.mouse.wheel(0, 300)
  await expect(button).not.toBeInViewport()
  await expect(button).toBeInViewport()
  await page.mouse.wheel(0, 200)
  await expect(button).not.toBeInViewport()
  await page.mouse.wheel(0, -100)
  await expect(button).toBeInViewport()

  await page.keyboard.press('Control+k')
  await expect(page.getByRole('dialog')).toBeVisible()
  await expect(button).not.toBeInViewport()
  await page.keyboard.press('Escape')
  await expect(button).toBeInViewport()

  await page.goto('/root')
  await page.getByRole('textbox').first().focus()
  await expect(button).not.toBeInViewport()
  await expect(button, 'screen readers still find it').toHaveCount(1)
  await button.focus()
  await expect(button).toBeInViewport({ ratio: 1 })
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog')).toBeVisible()
})

/** Checks the top and the bottom of the page once the tab no longer moves. */
async function expectCoversNothing(page: Page, label: string): Promise<void> {
  for (const end of ['top', 'bottom'] as const) {
    await page.evaluate(async (to) => {
      scrollTo(0, to === 'top' ? 0 : document.documentElement.scrollHeight)
      await new Promise(requestAnimationFrame)
      // Scrolling up brings the tab back without the pause.
      if (to === 'bottom') scrollBy(0, -1)
    }, end)
    await expect
      .soft(async () => {
        // A chat focuses its box once it is ready, perhaps only now.
        await page.evaluate(() => document.activeElement instanceof HTMLElement && document.activeElement.blur())
        await expect(page.locator('.debug-tab:not([data-away])')).toHaveCount(1, { timeout: 2_500 })
      }, `${label} shows DEBUG at the ${end}`)
      .toPass({ timeout: 10_000 })
    await expect
      .soft(async () => expect(await page.evaluate(listCoveredControls)).toEqual([]), `${label} at the ${end}`)
      .toPass({ timeout: 4_000 })
  }
}

/** Interactive elements under the tab where it rests; it must not be moving. */
function listCoveredControls(): string[] {
  const tab = document.querySelector<HTMLElement>('.debug-tab')
  if (!tab) return ['there is no tab']
  const { left, right, top, bottom } = tab.getBoundingClientRect()
  const controls =
    'a[href],button,input,select,textarea,summary,label,[contenteditable],[role="button"],[role="link"],[role="tab"],[role="option"],[role="checkbox"],[role="switch"],[role="slider"],[role^="menuitem"]'
  const covered = new Set<string>()
  for (let x = left + 0.5; x < Math.min(right, innerWidth); x += 2) {
    for (let y = top + 0.5; y < Math.min(bottom, innerHeight); y += 2) {
      for (const element of document.elementsFromPoint(x, y))
        if (!tab.contains(element) && element.matches(controls)) covered.add(element.outerHTML.slice(0, 160))
    }
  }
  return [...covered]
}
