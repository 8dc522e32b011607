import { type AddressInfo, connect } from 'node:net'
import { createApp } from '#server/app.ts'
import type { Engine } from '#server/db/database.ts'
import { createHttpServer } from '#server/http/http-server.ts'
import type { WebFiles } from '#server/http/web-files.ts'
import { createTestApp, type TestApp } from './test-app.ts'

/**
 * The app behind a real socket, for tests of raw bytes. Its own host is keeper.example, and Ada's domain is served at
 * memories.example.
 */
export async function startListeningApp(
  engine: Engine,
  web?: WebFiles,
): Promise<{ app: TestApp; port: number; close(): Promise<void> }> {
  const app = await createTestApp(engine, { environment: { KEEPER_PUBLIC_URL: 'https://keeper.example' } })
  await app.as('ada')
  const { db, customHosts } = app.services
  await db.updateTable('domains').set({ custom_domain: 'memories.example', custom_domain_verified: true }).execute()
  await customHosts.load(db)
  const { fetch } = createApp(app.services, web)
  // The adapter replaces these globals for every test file in this process.
  const { Request, Response } = globalThis
  const server = createHttpServer(fetch)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    app,
    port: (server.address() as AddressInfo).port,
    async close() {
      server.closeAllConnections()
      server.close()
      Object.assign(globalThis, { Request, Response })
      await app.close()
    },
  }
}

/** Sends text over a new socket. Returns everything received when the connection ends, is reset or times out. */
export const sendRaw = (port: number, text: string, timeoutMs = 3000): Promise<string> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(text, 'utf8'))
    let received = ''
    socket.setTimeout(timeoutMs, () => socket.destroy())
    socket.on('data', (bytes) => (received += bytes))
    socket.on('close', () => resolve(received))
    socket.on('error', () => resolve(received))
  })

export const parseStatus = (answer: string): number => Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1] ?? 0)
