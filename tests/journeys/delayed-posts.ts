import type { Page, Route } from '@playwright/test'
import type { Watch } from './page-watch.ts'

/** Delays POST requests to this URL until the returned function is called. */
export async function delayPosts(page: Page, address: string): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route(address, async (route) => {
    if (route.request().method() !== 'POST') return route.fallback()
    await promise
    await route.continue()
  })
  return resolve
}

/** Executes the next request to this URL, but drops its response. */
export async function dropNextResponse(page: Page, watch: Watch, address: string): Promise<void> {
  watch.expectLine(/ERR_FAILED|Failed to fetch/)
  const fetchAndAbort = async (route: Route) => {
    await route.fetch()
    await route.abort()
  }
  await page.route(address, fetchAndAbort, { times: 1 })
}
