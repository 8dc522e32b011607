import { readdirSync, readFileSync } from 'node:fs'
import { type BrowserContext, type BrowserContextOptions, chromium } from '@playwright/test'
import { browserArguments } from '../../scripts/find-browser.ts'

/** A browser with its own profile, which can be killed and restarted. */
export async function openProfileBrowser(
  profile: string,
  url: string,
  executablePath: string | undefined,
  contextOptions: BrowserContextOptions = {},
) {
  const context = await chromium.launchPersistentContext(profile, {
    ...contextOptions,
    ...(executablePath !== undefined && { executablePath }),
    baseURL: url,
    serviceWorkers: 'allow',
    args: browserArguments,
  })
  return { context, page: context.pages()[0] ?? (await context.newPage()) }
}

/** Sends SIGKILL to the browser, so nothing is flushed. */
export async function killBrowser(context: BrowserContext, profile: string): Promise<void> {
  const closeEvent = new Promise((resolve) => context.once('close', resolve))
  for (const id of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    const line = readCommandLine(id)
    if (line.includes(`--user-data-dir=${profile}`) && !line.includes('--type=')) process.kill(Number(id), 'SIGKILL')
  }
  await closeEvent
}

function readCommandLine(id: string): string {
  try {
    return readFileSync(`/proc/${id}/cmdline`, 'utf8').replaceAll('\0', ' ')
  } catch {
    return ''
  }
}
