import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { type Browser, chromium, type Page } from '@playwright/test'
import { root } from '../../bench/measure.ts'
import { browserArguments, findBrowser } from '../../scripts/find-browser.ts'
import { createApp } from '../../server/app.ts'
import { createHttpServer } from '../../server/http/http-server.ts'
import { createWebFiles } from '../../server/http/web-files.ts'
import type { Services } from '../../server/services.ts'
import { storeSession } from '../../tests/journeys/store-session.ts'

export const customHost = 'memories.example.org'

export async function serveBuilt(services: Services): Promise<{ url: string; close(): void }> {
  const { fetch } = createApp(services, createWebFiles(join(root, 'dist/web')))
  const server = createHttpServer(fetch)
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

export async function startBrowser(): Promise<Browser> {
  process.env.CHROMIUM ||= await findBrowser()
  return chromium.launch({
    executablePath: process.env.CHROMIUM,
    args: [...browserArguments, `--host-resolver-rules=MAP ${customHost} 127.0.0.1`],
  })
}

export async function signInAs(page: Page, token: string, id: string): Promise<void> {
  await storeSession(page, { token, user: { id, name: 'Ada', email: 'ada@example.com' } })
}
