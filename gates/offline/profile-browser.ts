import { readdirSync, readFileSync } from 'node:fs'
import { type BrowserContext, chromium, type Page } from '@playwright/test'

/** A browser with a profile of its own, which can be killed and started again over it. */
export async function browserOver(profile: string, url: string, executablePath: string) {
  const context = await chromium.launchPersistentContext(profile, {
    executablePath,
    baseURL: url,
    serviceWorkers: 'allow',
    viewport: { width: 1280, height: 900 },
    reducedMotion: 'reduce',
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'],
  })
  return { context, page: context.pages()[0] ?? (await context.newPage()) }
}

/** SIGKILL to the browser itself: nothing is told, nothing is flushed. */
export async function kill(context: BrowserContext, profile: string): Promise<void> {
  const closed = new Promise((resolve) => context.once('close', resolve))
  for (const id of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    const line = commandOf(id)
    if (line.includes(`--user-data-dir=${profile}`) && !line.includes('--type=')) process.kill(Number(id), 'SIGKILL')
  }
  await closed
}

function commandOf(id: string): string {
  try {
    return readFileSync(`/proc/${id}/cmdline`, 'utf8').replaceAll('\0', ' ')
  } catch {
    return ''
  }
}

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
