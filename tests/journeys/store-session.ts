/// <reference lib="dom" />
import type { Page } from '@playwright/test'

/** Stores this session in the page's browser, as after signing in; no app page is loaded yet. */
export async function storeSession(page: Page, { token, user }: { token: string; user: unknown }): Promise<void> {
  // A same-origin image gives access to storage without loading the app.
  await page.goto('/icon.svg')
  await page.evaluate(
    ([secret, userJson]) => {
      localStorage.setItem('keeper_token', secret)
      localStorage.setItem('keeper_user', userJson)
    },
    [token, JSON.stringify(user)] as const,
  )
}
