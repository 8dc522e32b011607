/// <reference lib="dom" />
import type { Locator, Page } from '@playwright/test'
import { closeAll, findOpeners, goTo, press } from '../browser/walk.ts'
import type { ProxiedKeeper, ProxyFault } from './proxied-keeper.ts'

export const findRetryButtons = (page: Page): Locator =>
  page.getByRole('main').getByRole('button', { name: /^(Retry|Try again)$/i })

export interface RetryResult {
  /** The page and the text next to the button. */
  location: string
  problem?: string
}

const recoveryMs = 8_000

/**
 * Opens every page while the proxy refuses its calls, presses Retry while it still refuses, and again when it doesn't:
 * the button must stay after the first press, and the page must appear after the second.
 */
export async function tryEveryRetry(
  page: Page,
  { setFault }: Pick<ProxiedKeeper, 'setFault'>,
  addresses: readonly string[],
  fault: ProxyFault,
): Promise<RetryResult[]> {
  const results: RetryResult[] = []
  for (const address of addresses) {
    await setFault(fault)
    // Start from a page that shares no data with the next, so that nothing is cached in memory.
    await page.goto('/debug')
    await goTo(page, address)
    const buttons = findRetryButtons(page)
    const locations = await buttons.evaluateAll((elements) =>
      elements.map((element) =>
        (element.closest('[role=alert], section, li')?.textContent ?? '').replaceAll(/\s+/g, ' ').slice(0, 160),
      ),
    )
    const first = buttons.first()
    if (locations.length > 0) await first.click()
    await page.waitForTimeout(300)
    const isStillOffered = locations.length === 0 || (await isShown(first, recoveryMs))
    await setFault(null)
    const hasButtonLeft = !(await pressEvery(buttons))
    for (const location of locations)
      results.push({
        location: `${address}: ${location}`,
        ...(!isStillOffered && { problem: 'Retry was gone after a press while the proxy refused' }),
        ...(hasButtonLeft && { problem: `Retry doesn’t help: ${await describeAlerts(page)}` }),
      })
  }
  return results
}

/** Opens each kind of dialog once while the proxy refuses its calls, and presses its Retry when it doesn't. */
export async function tryEveryRetryInDialogs(
  page: Page,
  { setFault }: Pick<ProxiedKeeper, 'setFault'>,
  addresses: readonly string[],
  fault: ProxyFault,
): Promise<{ opened: number; results: RetryResult[] }> {
  const results: RetryResult[] = []
  const tried = new Set<string>()
  let opened = 0
  const buttons = page.getByRole('dialog').getByRole('button', { name: /^(Retry|Try again)$/i })
  for (const address of addresses) {
    await goTo(page, address)
    for (const opener of await findOpeners(page)) {
      const kind = opener.name.split(/\s+/).slice(0, 2).join(' ')
      if (tried.has(kind)) continue
      tried.add(kind)
      await setFault(fault)
      if (await press(page, opener)) opened++
      const location = `${address}: ${opener.name}`
      if (await isShown(buttons.first(), 1_000)) {
        await setFault(null)
        const isHelpful = await pressEvery(buttons)
        results.push({ location, ...(!isHelpful && { problem: 'Retry doesn’t help' }) })
      }
      await setFault(null)
      await closeAll(page)
      if (new URL(page.url()).pathname + new URL(page.url()).search !== address) await goTo(page, address)
    }
  }
  return { opened, results }
}

/** Parts that load separately each have a Retry. Returns whether none is left. */
async function pressEvery(buttons: Locator): Promise<boolean> {
  for (let count = await buttons.count(); count > 0; count = await buttons.count()) {
    const previousCount = count
    const button = buttons.first()
    await button.click().catch(() => undefined)
    if (!(await waitUntil(async () => (await buttons.count()) < previousCount))) return false
  }
  return true
}

const describeAlerts = async (page: Page) =>
  (await page.getByRole('main').getByRole('alert').allTextContents()).join(' | ').slice(0, 200)

const isShown = (locator: Locator, timeoutMs: number) =>
  locator.waitFor({ state: 'visible', timeout: timeoutMs }).then(
    () => true,
    () => false,
  )

async function waitUntil(isTrue: () => Promise<boolean>): Promise<boolean> {
  for (const deadline = performance.now() + recoveryMs; performance.now() < deadline; )
    if (await isTrue()) return true
    else await new Promise((resolve) => setTimeout(resolve, 100))
  return false
}
