import type { Page } from '@playwright/test'

/** What is posted to this address waits until the function that is answered is called, and then goes on. */
export async function holdPosts(page: Page, address: string): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route(address, async (route) => {
    if (route.request().method() !== 'POST') return route.fallback()
    await promise
    await route.continue()
  })
  return resolve
}
