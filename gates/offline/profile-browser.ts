import type { Page } from '@playwright/test'
import * as profileBrowser from '#tests/journeys/profile-browser.ts'

/** The browser of the journeys, on a desk and without motion. */
export const browserOver = (profile: string, url: string, executablePath: string) =>
  profileBrowser.browserOver(profile, url, executablePath, {
    viewport: { width: 1280, height: 900 },
    reducedMotion: 'reduce',
  })

/** Puts a session where the sign-in page would put it. */
export async function arriveAs(page: Page, { token, user }: { token: string; user: unknown }): Promise<void> {
  await page.goto('/icon.svg')
  await page.evaluate(
    ([key, who]) => {
      localStorage.setItem('keeper_token', key as string)
      localStorage.setItem('keeper_user', JSON.stringify(who))
    },
    [token, user],
  )
}
