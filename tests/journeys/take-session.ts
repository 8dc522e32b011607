/// <reference lib="dom" />
import type { Page } from '@playwright/test'

/** As after signing in: the page’s browser has this session, and shows no page of the application yet. */
export async function takeSession(page: Page, { token, user }: { token: string; user: unknown }): Promise<void> {
  // A drawing of the same origin: it has a storage, and no application to load.
  await page.goto('/icon.svg')
  await page.evaluate(
    ([secret, who]) => {
      localStorage.setItem('keeper_token', secret)
      localStorage.setItem('keeper_user', who)
    },
    [token, JSON.stringify(user)] as const,
  )
}
