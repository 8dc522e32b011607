/// <reference lib="dom" />
import type { Page } from '@playwright/test'
import { navigateInApp } from '../../tests/journeys/all-routes.ts'

export async function settle(page: Page): Promise<void> {
  await page
    .waitForFunction(
      () =>
        document.querySelector('h1') !== null &&
        !document.querySelector('main .animate-shimmer') &&
        !/^Loading\.\.\.$/m.test(document.querySelector('main')?.textContent ?? ''),
      undefined,
      { polling: 50, timeout: 4000 },
    )
    .catch(() => undefined)
}

export async function goTo(page: Page, address: string): Promise<void> {
  await navigateInApp(page, address)
  await settle(page)
}

export interface Opener {
  index: number
  name: string
}
const openerSelector =
  'main button, header button, nav button, main summary, main [role=tab], main [aria-haspopup], [role=toolbar] button'

/** Actions that leave the page or change data; other gates cover them. */
const skippedActions =
  /sign out|log ?out|delete|remove|discard|empty|end (all|other)|deactivate|revoke|print|download|export|take out|install|record|microphone|send|save|create|run|ask|stop|fill|bring|complete|promote|approve|reject|deliver|restore|leave|transfer|dismiss|undo|redo|reload|retry|again|answer|previous|next|full screen/i

const maxKinds = 24

/** One opener of each kind: `View a.txt` and `View b.txt` open the same dialog. */
export async function findOpeners(page: Page): Promise<Opener[]> {
  const candidates = await page.evaluate(
    (css) =>
      [...document.querySelectorAll<HTMLElement>(css)].map((element, index) => ({
        index,
        name: (element.getAttribute('aria-label') ?? element.textContent ?? '').trim().slice(0, 60),
        isVisible: element.checkVisibility() && !element.matches('[disabled], [aria-disabled=true]'),
      })),
    openerSelector,
  )
  const kinds = new Set<string>()
  return candidates.filter(({ name, isVisible }) => {
    const kind = name
      .replaceAll(/\d+/g, '0')
      .replace(/^(Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day/, 'Day')
      .split(/\s+/)
      .slice(0, 2)
      .join(' ')
    if (!isVisible || skippedActions.test(name) || kinds.has(kind) || kinds.size >= maxKinds) return false
    kinds.add(kind)
    return true
  })
}

/** Returns whether something opened: a dialog, a menu, a list, or more of the page. */
export async function press(page: Page, { index, name }: Opener): Promise<boolean> {
  const fingerprint = await page.evaluate(getOpenFingerprint)
  const wasPressed = await page.evaluate(
    ([css, elementIndex, expectedName]) => {
      const element = document.querySelectorAll<HTMLElement>(css)[elementIndex]
      const isExpected =
        (element?.getAttribute('aria-label') ?? element?.textContent ?? '').trim().slice(0, 60) === expectedName
      if (!element || !isExpected) return false
      element.focus()
      const rect = element.getBoundingClientRect()
      const eventOptions = { bubbles: true, cancelable: true, clientX: rect.x + 1, clientY: rect.y + 1, button: 0 }
      // Menus open on pointer down, everything else on click.
      if (element.getAttribute('aria-haspopup') === 'menu')
        element.dispatchEvent(new PointerEvent('pointerdown', { ...eventOptions, pointerType: 'mouse' }))
      element.click()
      return true
    },
    [openerSelector, index, name] as const,
  )
  if (!wasPressed) return false
  await page.waitForTimeout(120)
  await settle(page)
  return (await page.evaluate(getOpenFingerprint)) !== fingerprint
}

function getOpenFingerprint(): string {
  const openElements = document.querySelectorAll(
    '[role=dialog], [role=alertdialog], [role=menu], [role=listbox], [popover]:popover-open, details[open], [aria-expanded=true], [aria-selected=true]',
  )
  return [...openElements].map((element) => `${element.localName}${element.id}${element.textContent?.length}`).join(' ')
}

export async function closeAll(page: Page): Promise<void> {
  for (let attempt = 0; attempt < 3; attempt++) {
    const isOpen = await page.evaluate(
      () => document.querySelector('[role=dialog], [role=alertdialog], [role=menu], [role=listbox]') !== null,
    )
    if (!isOpen) return
    await page.keyboard.press('Escape')
    await page.waitForTimeout(80)
  }
}
