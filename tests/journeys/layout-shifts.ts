import { setTimeout as delay } from 'node:timers/promises'
import type { Page } from '@playwright/test'
import { expect } from './fixtures.ts'

interface LayoutShift {
  value: number
  startTime: number
  /** Start tag, previous and current position of each moved element. */
  moved: string[]
}

const delayMs = 900
const settledMs = 500

/** Delays every answer of the API. Returns a function that waits until the page has all of them. */
export async function delayAnswers(page: Page): Promise<() => Promise<void>> {
  let pendingCount = 0
  let lastAnswerAt = performance.now()
  await page.route('**/api/**', async (route) => {
    pendingCount++
    await delay(delayMs)
    pendingCount--
    lastAnswerAt = performance.now()
    // The page may have been left.
    await route.continue().catch(() => undefined)
  })
  return async () => {
    lastAnswerAt = performance.now()
    await expect
      .poll(() => pendingCount === 0 && performance.now() - lastAnswerAt > settledMs, {
        timeout: 20_000,
        intervals: [100],
      })
      .toBe(true)
  }
}

/** Records the shifts of every page opened from now on, except those that follow input. */
export async function recordShifts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    interface LayoutShiftEntry extends PerformanceEntry {
      value: number
      hadRecentInput: boolean
      sources: { node: Node | null; previousRect: DOMRectReadOnly; currentRect: DOMRectReadOnly }[]
    }
    const describeNode = (node: Node | null) =>
      node instanceof Element ? (/^<[^>]*>/.exec(node.outerHTML)?.[0] ?? '') : (node?.textContent ?? 'removed')
    const formatBox = ({ x, y, width, height }: DOMRectReadOnly) =>
      [x, y, width, height].map((value) => Math.round(value)).join(' ')
    const shifts: LayoutShift[] = []
    Object.assign(window, { layoutShifts: shifts })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as LayoutShiftEntry[]) {
        if (entry.hadRecentInput) continue
        const moved = entry.sources.map(
          ({ node, previousRect, currentRect }) =>
            `${describeNode(node).slice(0, 160)} from ${formatBox(previousRect)} to ${formatBox(currentRect)}`,
        )
        shifts.push({ value: entry.value, startTime: entry.startTime, moved })
      }
    }).observe({ type: 'layout-shift', buffered: true })
  })
}

export const readShifts = (page: Page): Promise<LayoutShift[]> =>
  page.evaluate(() => (window as unknown as { layoutShifts: LayoutShift[] }).layoutShifts)

const maxGapMs = 1000
const maxWindowMs = 5000

/** The session window with the largest sum, as in the definition of Cumulative Layout Shift. */
export function findWorstWindow(shifts: readonly LayoutShift[]): { sum: number; moved: string[] } {
  let worst = { sum: 0, moved: [] as string[] }
  let current = { ...worst, start: 0, end: Number.NEGATIVE_INFINITY }
  for (const { value, startTime, moved } of shifts) {
    const isSameWindow = startTime - current.end < maxGapMs && startTime - current.start < maxWindowMs
    const lines = moved.map((element) => `${value.toFixed(3)} ${element}`)
    current = isSameWindow
      ? { sum: current.sum + value, moved: [...current.moved, ...lines], start: current.start, end: startTime }
      : { sum: value, moved: lines, start: startTime, end: startTime }
    if (current.sum > worst.sum) worst = { sum: current.sum, moved: current.moved }
  }
  return worst
}
