import { expect, type Locator, type Page } from '@playwright/test'

/** Presses Tab until the target has focus, and requires a visible focus at every step. */
export async function tabTo(page: Page, target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  await expect(target).toBeVisible()
  for (let presses = 0; presses < 120; presses++) {
    if (await target.evaluate((element) => element === document.activeElement)) return
    await page.keyboard.press(key)
    expect.soft(await page.evaluate(findInvisibleFocus), 'focused without a visible ring').toBeUndefined()
  }
  await expect(target, 'reached with Tab').toBeFocused()
}

/** The focused element's HTML; `undefined` if it, or an element next to or around it, shows an outline or a halo. */
function findInvisibleFocus(): string | undefined {
  const focused = document.activeElement
  if (!focused || focused === document.body) return undefined
  // A new page focuses its heading, which Tab doesn't reach.
  if (focused.matches('h1[tabindex="-1"]')) return undefined
  const hasOutline = (element: Element, part?: string) => {
    const { outlineStyle, outlineWidth } = getComputedStyle(element, part)
    return outlineStyle !== 'none' && Number.parseFloat(outlineWidth) > 0
  }
  const boxes = [focused, focused.parentElement, focused.nextElementSibling, focused.closest('article')]
  const isOutlined = boxes.some((box) => box && (hasOutline(box) || hasOutline(box, '::after')))
  const hasHalo = [focused, focused.parentElement, focused.closest('[data-writing]')].some(
    (box) => box && getComputedStyle(box).boxShadow !== 'none',
  )
  return isOutlined || hasHalo ? undefined : focused.outerHTML.slice(0, 200)
}

export async function press(page: Page, target: Locator, key = 'Enter'): Promise<void> {
  await tabTo(page, target)
  await page.keyboard.press(key)
}

export async function type(page: Page, target: Locator, text: string): Promise<void> {
  await tabTo(page, target)
  await page.keyboard.type(text)
}

/** Opens a page through the palette. */
export async function jumpTo(page: Page, text: string): Promise<void> {
  await page.keyboard.press('Control+k')
  await expect(page.getByRole('combobox', { name: 'Search or jump to' })).toBeFocused()
  await page.keyboard.type(text)
  await expect(page.getByRole('option').first()).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('Enter')
}

/** Expects the text in a live region, so that screen readers announce it. */
export async function expectAnnounced(page: Page, text: string | RegExp): Promise<void> {
  const live = page.locator(
    '[role="status"],[role="alert"],[role="log"],[aria-live="polite"],[aria-live="assertive"],output',
  )
  await expect(live.filter({ hasText: text }).first(), `${text} is announced`).toBeAttached()
}
