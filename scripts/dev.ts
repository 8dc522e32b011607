import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Provider } from '#contract/agents/model-settings.ts'
import { readEnvironment, readSettings } from '#server/settings/settings.ts'
import { fakeProviders } from '#tests/fake-providers.ts'
import { startMailbox } from '#tests/fakes/mailbox.ts'
import { startProviderFake } from '#tests/fakes/model-providers/start-provider-fake.ts'
import { describeExternalServices, developmentSettings, findRealProviders } from './development-settings.ts'
import { root } from './fingerprint.ts'
import { stopWithOneLine } from './open-services.ts'
import { developmentFolder, formatSampleSignIns, resetFolder } from './reset.ts'
import { stopWithNpm } from './stop-with-npm.ts'

process.chdir(root)
stopWithNpm()
await develop().catch(stopWithOneLine)

async function develop(): Promise<void> {
  const environment = readEnvironment(root, process.env)
  const { port } = readSettings(environment)
  const realProviders = findRealProviders(environment)
  const apiPort = port + 1
  const address = `http://127.0.0.1:${port}`
  if (!existsSync(join(developmentFolder, 'data.db'))) await resetFolder(developmentFolder)

  startServer({
    ...developmentSettings,
    ...(await startExternalFakes(realProviders)),
    PORT: String(apiPort),
    KEEPER_DATA_DIR: developmentFolder,
    KEEPER_PUBLIC_URL: address,
  })
  await servePages(port, apiPort)
  console.log(
    `\n${describeExternalServices(realProviders)}\nChanged files restart the server. Sign in as\n${formatSampleSignIns()}\n`,
  )
}

async function startExternalFakes(realProviders: Provider[]): Promise<Record<string, string>> {
  const settings: Record<string, string> = {}
  for (const provider of fakeProviders) {
    if (realProviders.includes(provider)) continue
    const name = provider.toUpperCase()
    const fake = await startProviderFake({ provider, wordDelayMs: 40, keyless: true })
    settings[`${name}_BASE_URL`] = fake.baseUrl
    settings[`${name}_API_KEY`] = 'a-key-for-the-fake-of-this-provider'
  }
  const mailbox = await startMailbox({
    onMail: ({ to, subject, text }) => console.log(`\n✉ to ${to.join(', ')}: ${subject}\n${text}\n`),
  })
  settings.SMTP_URL = mailbox.url
  return settings
}

function startServer(environment: Record<string, string>): void {
  const server = spawn(process.execPath, ['--watch', '--watch-preserve-output', 'server/main.ts'], {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  const stop = () => {
    server.once('exit', () => process.exit(0))
    server.kill('SIGTERM')
  }
  process.once('SIGINT', stop).once('SIGTERM', stop)
}

async function servePages(port: number, apiPort: number): Promise<void> {
  // Keeps the page's host, because the server refuses cross-site writes.
  const server = { target: `http://127.0.0.1:${apiPort}`, changeOrigin: false }
  // web/api/api.ts is a file of the pages, although its path starts with /api, too.
  const apiProxy = { ...server, bypass: ({ url }: { url?: string }) => (url?.startsWith('/api/') ? undefined : url) }
  const { createServer } = await import('vite')
  const pages = await createServer({
    configFile: join(root, 'web/vite.config.ts'),
    server: {
      host: '127.0.0.1',
      port,
      strictPort: true,
      proxy: { '/api': apiProxy, '/ping': server, '/health': server },
    },
    logLevel: 'warn',
  })
  await pages.listen()
}
