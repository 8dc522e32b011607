import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { constants, createGunzip } from 'node:zlib'
import { report, root } from '../bench/measure.ts'
import {
  checkExample,
  createCertificate,
  listExamples,
  readExamples,
  writeNginxConfig,
} from '../scripts/doc-examples.ts'
import { startProviderFake } from '../tests/fakes/model-providers/start-provider-fake.ts'
import { startServer } from './faults/server-process.ts'
import { createLoadWorld } from './faults/writers.ts'

// Every example of the documents runs, and the proxies of the guide pass on a write, an upload and a stream. Needs nginx and Caddy.

const results = listExamples().map((example) => ({ ...example, ...checkExample(example) }))
const failures = results.flatMap(({ location, problem, missingProgram }) =>
  problem || missingProgram ? [`${location}: ${problem ?? `${missingProgram} isn’t installed`}`] : [],
)
report(
  'every example of the documents is understood by its program',
  failures.length === 0 ? `${results.length} examples` : failures.join('; '),
  'none fails or is skipped',
  failures.length === 0 && results.length > 60,
)

const folder = mkdtempSync(join(tmpdir(), 'keeper-proxies-'))
const host = 'keeper.example.org'
const guide = readExamples('docs/operating.md', readFileSync(join(root, 'docs/operating.md'), 'utf8'))
const findBlock = (language: string) => guide.find((example) => example.language === language)?.text ?? ''
const upload = randomBytes(10_000_000).toString('hex')
const wordDelayMs = 100
const provider = await startProviderFake({
  provider: 'openai',
  key: 'gate-key',
  wordDelayMs,
  answer: () => 'One small step follows another. '.repeat(4),
})

interface ProxyResult {
  writeStatus: number
  uploadStatus: number
  /** Time between the first and the last chunk of an answer that takes 2 s. */
  streamedMs: number
  isFinished: boolean
}

type StartProxy = (keeperPort: string, proxyPort: number) => ChildProcess

const startNginx =
  (change: (block: string) => string): StartProxy =>
  (keeperPort, proxyPort) => {
    const block = change(findBlock('nginx')).replace('127.0.0.1:3000', `127.0.0.1:${keeperPort}`)
    // By default, nginx workers run as an account that can't read the folder.
    const config = `user root;\n${readFileSync(writeNginxConfig(block, folder, proxyPort), 'utf8')}`
    writeFileSync(join(folder, 'nginx.conf'), config)
    return spawn('nginx', ['-p', folder, '-e', 'stderr', '-c', join(folder, 'nginx.conf'), '-g', 'daemon off;'], {
      stdio: ['ignore', 'inherit', 'inherit'],
    })
  }

const startCaddy: StartProxy = (keeperPort, proxyPort) => {
  const [certificate, key] = [join(folder, 'fullchain.pem'), join(folder, 'privkey.pem')]
  createCertificate(certificate, key)
  const block = findBlock('caddyfile')
    .replace(`${host} {`, `https://${host}:${proxyPort} {\n\ttls ${certificate} ${key}`)
    .replace('127.0.0.1:3000', `127.0.0.1:${keeperPort}`)
  writeFileSync(join(folder, 'Caddyfile'), `{\n\tadmin off\n\tauto_https disable_redirects\n}\n${block}`)
  return spawn('caddy', ['run', '--adapter', 'caddyfile', '--config', join(folder, 'Caddyfile')], {
    env: { ...process.env, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
    stdio: ['ignore', 'ignore', 'ignore'],
  })
}

async function tryProxy(startProxy: StartProxy, proxyPort: number): Promise<ProxyResult> {
  const server = await startServer({
    dataDir: mkdtempSync(join(folder, 'data-')),
    environment: {
      KEEPER_PUBLIC_URL: `https://${host}:${proxyPort}`,
      KEEPER_TRUSTED_PROXIES: '1',
      OPENAI_BASE_URL: provider.baseUrl,
      OPENAI_API_KEY: 'gate-key',
      PORT: String(proxyPort + 1),
    },
  })
  const direct = `http://127.0.0.1:${proxyPort + 1}`
  const world = await createLoadWorld(direct, /setup=(\S+)/.exec(server.stdout())?.[1])
  const proxy = startProxy(String(proxyPort + 1), proxyPort)
  const send = (method: string, path: string, type: string, body: string, accept = 'application/json') =>
    sendThroughProxy(proxyPort, method, path, body, {
      'content-type': type,
      accept,
      authorization: `Bearer ${world.token}`,
      'accept-encoding': 'gzip',
      // Browsers send it; without it, a proxy that changes the host would go unnoticed.
      origin: `https://${host}:${proxyPort}`,
    })
  try {
    await waitForProxy(proxyPort)
    const agent = JSON.stringify({ name: 'Harbor', slug: 'harbor', purpose: 'Remembers ships.' })
    const write = await send('POST', '/api/kip/agents', 'application/json', agent)
    await text(write)
    const file = await send('POST', `/api/keeper/keepers/${world.keeperId}/media`, 'text/plain', upload)
    await text(file)
    const run = JSON.stringify({ action: 'run', agentId: world.agentId, input: 'Say' })
    const answer = await send('POST', '/api/kip/agents', 'application/json', run, 'text/event-stream')
    const isCompressed = answer.headers['content-encoding'] === 'gzip'
    const stream = isCompressed ? answer.pipe(createGunzip({ flush: constants.Z_SYNC_FLUSH })) : answer
    const times: number[] = []
    let receivedText = ''
    for await (const chunk of stream.setEncoding('utf8')) {
      times.push(performance.now())
      receivedText += chunk
    }
    return {
      writeStatus: write.statusCode ?? 0,
      uploadStatus: file.statusCode ?? 0,
      streamedMs: (times.at(-1) ?? 0) - (times[0] ?? 0),
      isFinished: receivedText.includes('event: done'),
    }
  } finally {
    proxy.kill('SIGTERM')
    await server.end('SIGTERM')
  }
}

function sendThroughProxy(port: number, method: string, path: string, body: string, headers: Record<string, string>) {
  return new Promise<IncomingMessage>((resolve, reject) => {
    const options = { host: '127.0.0.1', port, method, path, servername: host, rejectUnauthorized: false }
    const outgoing = request({ ...options, headers: { ...headers, host: `${host}:${port}` } }, resolve)
    outgoing.once('error', reject)
    outgoing.end(body)
  })
}

async function waitForProxy(port: number): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt++) {
    const answer = await sendThroughProxy(port, 'GET', '/ping', '', {}).catch(() => undefined)
    if (answer) {
      await text(answer)
      if (answer.statusCode === 200) return
    }
    await delay(50)
  }
  throw new Error(`nothing answers at port ${port}`)
}

const describeResult = (result: ProxyResult) =>
  `write ${result.writeStatus}, upload ${result.uploadStatus}, stream over ${result.streamedMs.toFixed(0)} ms, ${result.isFinished ? 'finished' : 'cut'}`
const isPassedOn = ({ writeStatus, uploadStatus, streamedMs, isFinished }: ProxyResult) =>
  writeStatus === 200 && uploadStatus === 200 && streamedMs > 500 && isFinished

for (const [name, start, port] of [
  ['nginx', startNginx((block) => block), 15_921],
  ['Caddy', startCaddy, 15_923],
  // https://github.com/nexu-io/open-design/pull/111: compressed, a stream can arrive at its end.
  [
    'nginx that compresses, and otherwise',
    startNginx((block) =>
      block.replace('proxy_buffering off;', 'gzip on; gzip_types *; gzip_proxied any; gzip_min_length 1;'),
    ),
    15_927,
  ],
] as const) {
  const result = await tryProxy(start, port)
  report(
    `${name}, as the guide sets it up, passes on a write, 20 MB and a stream`,
    describeResult(result),
    '200, 200, a stream',
    isPassedOn(result),
  )
}
for (const [name, change] of [
  ['without its limit for uploads', (block: string) => block.replace(/client_max_body_size.*;/, '')],
  [
    'that buffers answers',
    (block: string) =>
      block.replace('proxy_buffering off;', 'proxy_buffering on; proxy_ignore_headers X-Accel-Buffering;'),
  ],
] as const) {
  const result = await tryProxy(startNginx(change), 15_925)
  const isNoticed = !isPassedOn(result)
  report(
    `control: nginx ${name}`,
    isNoticed ? `noticed: ${describeResult(result)}` : 'not noticed',
    'must be noticed',
    isNoticed,
  )
}
rmSync(folder, { recursive: true, force: true })
process.exit()
