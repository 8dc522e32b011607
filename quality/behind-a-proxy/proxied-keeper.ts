import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type Browser, type BrowserContext, chromium } from '@playwright/test'
import { root } from '../../bench/measure.ts'
import { createCertificate, readExamples, writeNginxConfig } from '../../scripts/doc-examples.ts'
import { browserArguments, findBrowser } from '../../scripts/find-browser.ts'
import { type BuiltKeeper, startBuiltKeeper } from '../../tests/journeys/built-keeper.ts'

export const proxyHost = 'keeper.example.org'
/** Every call is smaller, except those with long texts or pictures. */
export const maxProxyKilobytes = 40

/** `no-server`: nothing listens behind the proxy. `api-…`: the proxy answers calls with that status, and passes on pages. */
export type ProxyFault =
  | 'no-server'
  | 'silent-server'
  | 'sign-on'
  | 'portal'
  | `api-${(typeof refusedStatuses)[number]}`
const refusedStatuses = [403, 429, 502, 503, 504] as const

const signOnPage = '<!doctype html><title>Sign in</title><h1>Company sign-on</h1>'

/** The guide's nginx block with a small limit, and faults that appear while a file with their name exists. */
function createFaultyBlock(folder: string, change: (block: string) => string): string {
  const guide = readExamples('docs/operating.md', readFileSync(join(root, 'docs/operating.md'), 'utf8'))
  const block = guide.find(({ language }) => language === 'nginx')?.text ?? ''
  const refusals = refusedStatuses.map(
    (status) => `
    set $refusal "${status < 500 ? '$is_api' : '$is_served'}";
    if (-f ${folder}/api-${status}) { set $refusal "\${refusal}-refused"; }
    if ($refusal = "1-refused") { return ${status}; }`,
  )
  const faults = `
    if (-f ${folder}/sign-on) { return 302 https://sign-on.example.org/login; }
    if (-f ${folder}/portal) { rewrite ^ /portal last; }
    ${refusals.join('')}
    location = /portal { internal; default_type text/html; return 200 '${signOnPage}'; }
`
  const adapted = change(block)
    .replace(/client_max_body_size \S+;/, `client_max_body_size ${maxProxyKilobytes}k;`)
    .replace('proxy_read_timeout 10m;', 'proxy_read_timeout 20s;')
    .replace(/server_name .*;/, (line) => `${line}${faults}`)
  const maps = 'map $uri $is_api { ~^/api/ 1; }\nmap $uri $is_served { ~^/(api/|ping$) 1; }'
  return `${maps}\n${adapted}`
}

export interface ProxiedKeeper {
  url: string
  keeper: BuiltKeeper
  setFault(fault: ProxyFault | null): Promise<void>
  /** Ends every connection between the proxy and Keeper, in the middle of its bytes. */
  cutConnections(): void
  stop(): Promise<void>
}

export async function startBehindNginx(
  port: number,
  environment: Record<string, string>,
  change: (block: string) => string = (block) => block,
): Promise<ProxiedKeeper> {
  const folder = mkdtempSync(join(tmpdir(), 'keeper-nginx-'))
  const writeConfig = (relayPort: number) => {
    const block = createFaultyBlock(folder, change).replaceAll('127.0.0.1:3000', `127.0.0.1:${relayPort}`)
    // By default, nginx workers run as an account that can't read the folder.
    return `user root;\n${readFileSync(writeNginxConfig(block, folder, port), 'utf8')}`
  }
  return startProxiedKeeper(port, environment, folder, (relayPort) => {
    writeFileSync(join(folder, 'nginx.conf'), writeConfig(relayPort))
    return spawn('nginx', ['-p', folder, '-e', 'stderr', '-c', join(folder, 'nginx.conf'), '-g', 'daemon off;'], {
      stdio: ['ignore', 'ignore', 'ignore'],
    })
  })
}

export async function startBehindCaddy(port: number, environment: Record<string, string>): Promise<ProxiedKeeper> {
  const folder = mkdtempSync(join(tmpdir(), 'keeper-caddy-'))
  const [certificate, key] = [join(folder, 'fullchain.pem'), join(folder, 'privkey.pem')]
  createCertificate(certificate, key)
  const guide = readExamples('docs/operating.md', readFileSync(join(root, 'docs/operating.md'), 'utf8'))
  const block = guide.find(({ language }) => language === 'caddyfile')?.text ?? ''
  const refusals = refusedStatuses.map(
    (status) => `
	@api-${status} {
		path /api/* ${status < 500 ? '' : '/ping'}
		file {
			root ${folder}
			try_files api-${status}
		}
	}
	respond @api-${status} "Refused" ${status}`,
  )
  const faults = `
	tls ${certificate} ${key}
	request_body {
		max_size ${maxProxyKilobytes}KB
	}
	@sign-on file {
		root ${folder}
		try_files sign-on
	}
	redir @sign-on https://sign-on.example.org/login
	@portal file {
		root ${folder}
		try_files portal
	}
	header @portal Content-Type text/html
	respond @portal \`${signOnPage}\`
${refusals.join('')}`
  return startProxiedKeeper(port, environment, folder, (relayPort) => {
    const adapted = block
      .replace(`${proxyHost} {`, `https://${proxyHost}:${port} {${faults}`)
      .replace('127.0.0.1:3000', `127.0.0.1:${relayPort}`)
    writeFileSync(join(folder, 'Caddyfile'), `{\n\tadmin off\n\tauto_https disable_redirects\n}\n${adapted}`)
    return spawn('caddy', ['run', '--adapter', 'caddyfile', '--config', join(folder, 'Caddyfile')], {
      env: { ...process.env, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
      stdio: ['ignore', 'ignore', 'ignore'],
    })
  })
}

async function startProxiedKeeper(
  port: number,
  environment: Record<string, string>,
  folder: string,
  startProxy: (relayPort: number) => ChildProcess,
): Promise<ProxiedKeeper> {
  const [keeperPort, relayPort] = [port + 1, port + 2]
  const url = `https://${proxyHost}:${port}`
  const settings = { PORT: String(keeperPort), KEEPER_PUBLIC_URL: url, KEEPER_TRUSTED_PROXIES: '1' }
  const started = await startBuiltKeeper({ ...environment, ...settings }, { proxied: true })
  const relay = await startRelay(relayPort, keeperPort)
  const proxy = startProxy(relayPort)
  const stopProxy = () => proxy.kill('SIGTERM')
  process.once('exit', stopProxy)
  await waitForPort(port)
  return {
    url,
    keeper: started,
    async setFault(fault) {
      for (const name of ['sign-on', 'portal', ...refusedStatuses.map((status) => `api-${status}`)])
        rmSync(join(folder, name), { force: true })
      if (fault === 'no-server' || fault === 'silent-server') return relay.setMode(fault)
      if (fault !== null) writeFileSync(join(folder, fault), '')
      await relay.setMode('passes')
    },
    cutConnections: relay.cut,
    async stop() {
      process.removeListener('exit', stopProxy)
      stopProxy()
      await relay.stop()
      await started.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Starts a relay between the proxy and Keeper, so that the proxy itself notices a server that is down, silent or gone. */
async function startRelay(port: number, targetPort: number) {
  type Mode = 'passes' | 'no-server' | 'silent-server'
  const sockets = new Set<Socket>()
  let mode: Mode = 'passes'
  let server: Server | undefined
  const cut = () => {
    for (const socket of sockets) socket.destroy()
  }
  const track = (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket)).on('error', () => undefined)
    return socket
  }
  const listen = async () => {
    server = createServer((incoming) => {
      track(incoming)
      if (mode === 'silent-server') return
      const outgoing = track(connect(targetPort, '127.0.0.1'))
      incoming.pipe(outgoing).pipe(incoming)
      incoming.once('close', () => outgoing.destroy())
      outgoing.once('close', () => incoming.destroy())
    })
    await new Promise<void>((resolve) => server?.listen(port, '127.0.0.1', resolve))
  }
  const close = async () => {
    const closed = new Promise((resolve) => (server ? server.close(resolve) : resolve(undefined)))
    cut()
    await closed
    server = undefined
  }
  await listen()
  return {
    async setMode(next: Mode) {
      if (next === mode) return
      mode = next
      cut()
      if (mode === 'no-server') await close()
      else if (!server) await listen()
    },
    cut,
    stop: close,
  }
}

async function waitForPort(port: number): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt++) {
    const isOpen = await new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1')
      socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
      socket.once('close', () => socket.destroy())
    })
    if (isOpen) return
    await delay(50)
  }
  throw new Error(`no proxy listens on ${port}`)
}

export async function startProxiedBrowser(): Promise<Browser> {
  process.env.CHROMIUM ||= await findBrowser()
  return chromium.launch({
    executablePath: process.env.CHROMIUM,
    args: [
      ...browserArguments,
      '--host-resolver-rules=MAP *.example.org 127.0.0.1',
      // Unlike Playwright's option, it lets service workers start.
      '--ignore-certificate-errors',
    ],
  })
}

export async function createProxiedContext(
  browser: Browser,
  url: string,
  serviceWorkers: 'allow' | 'block' = 'block',
): Promise<BrowserContext> {
  const context = await browser.newContext({ baseURL: url, reducedMotion: 'reduce', serviceWorkers })
  context.setDefaultTimeout(10_000)
  return context
}

export const nginxVariants: Record<string, (block: string) => string> = {
  'as the guide has it': (block) => block,
  'that speaks HTTP/1.0 to Keeper': (block) => block.replace('proxy_http_version 1.1;', 'proxy_http_version 1.0;'),
  'that buffers answers and uploads': (block) =>
    block
      .replace('proxy_buffering off;', 'proxy_buffering on; proxy_ignore_headers X-Accel-Buffering;')
      .replace('proxy_request_buffering off;', ''),
  'that compresses everything again': (block) =>
    block.replace(
      'proxy_buffering off;',
      'proxy_buffering off; gzip on; gzip_types *; gzip_proxied any; gzip_min_length 1; gunzip on;',
    ),
  'that normalizes paths': (block) =>
    block.replace('proxy_pass http://127.0.0.1:3000;', 'proxy_pass http://127.0.0.1:3000/;'),
  'that refuses WebSockets and passes Host': (block) =>
    block.replace(
      'proxy_set_header Host $http_host;',
      'proxy_set_header Host $host; proxy_set_header Connection ""; if ($http_upgrade) { return 426; }',
    ),
}
