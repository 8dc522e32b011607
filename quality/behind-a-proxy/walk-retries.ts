import type { Browser, Page } from '@playwright/test'
import { report } from '../../bench/measure.ts'
import { createContent, listQueryPaths, paths, resolvePath, visitorPaths } from '../../tests/journeys/all-routes.ts'
import { storeSession } from '../../tests/journeys/store-session.ts'
import type { ProxiedKeeper } from './proxied-keeper.ts'
import { type RetryResult, tryEveryRetry, tryEveryRetryInDialogs } from './retries.ts'

export interface World {
  browser: Browser
  proxied: ProxiedKeeper
}

interface WalkOptions {
  isChosen(name: string): boolean
  listsAll: boolean
  withPage(world: World, use: (page: Page) => Promise<void>): Promise<void>
}

/** Tries every Retry of all pages and dialogs while the proxy refuses calls. */
export async function walkRetries(
  proxyName: string,
  world: World,
  { isChosen, listsAll, withPage }: WalkOptions,
): Promise<void> {
  let session: { token: string; user: unknown } | undefined
  let addresses: string[] = []
  async function openContent(page: Page): Promise<void> {
    if (session) return storeSession(page, session)
    addresses = listWalkedAddresses(await createContent(page, world.proxied.keeper))
    session = await page.evaluate(() => ({
      token: localStorage.getItem('keeper_token') ?? '',
      user: JSON.parse(localStorage.getItem('keeper_user') ?? '{}'),
    }))
  }
  function reportRetries(where: string, results: RetryResult[]): void {
    const failed = results.filter(({ problem }) => problem)
    for (const { location, problem } of failed) console.log(`  ${location}: ${problem}`)
    if (listsAll) for (const { location } of results) console.log(`  ${location}`)
    report(
      `${proxyName}: every Retry in ${where} works once the proxy passes calls again`,
      `${results.length - failed.length} of ${results.length}`,
      'all',
      failed.length === 0 && results.length > 0,
    )
  }
  for (const fault of ['api-403', 'api-502'] as const)
    if (isChosen('retry in pages'))
      await withPage(world, async (page) => {
        await openContent(page)
        const results = await tryEveryRetry(page, world.proxied, addresses, fault)
        reportRetries(`${addresses.length} pages (${fault})`, results)
      })
  if (isChosen('retry in dialogs'))
    await withPage(world, async (page) => {
      await openContent(page)
      await page.goto('/root')
      const { opened, results } = await tryEveryRetryInDialogs(page, world.proxied, addresses, 'api-403')
      reportRetries(`${opened} dialogs and menus`, results)
    })
}

function listWalkedAddresses(names: Record<string, string>): string[] {
  const pages = paths.filter((path) => !visitorPaths.includes(path))
  return [...pages.map((path) => resolvePath(path, names)), ...listQueryPaths(names)]
}
