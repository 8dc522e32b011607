import { diagnostics } from '#contract/diagnostics/diagnostics.ts'
import { themes } from '#contract/themes/themes.ts'
import { type CheckDetail, CheckFailed, type DiagnosticCheck } from './check.ts'
import { requestSuccess } from './server-request.ts'

const serverDownRemedy = 'Check that the server is running and that any proxy in front of it forwards requests.'

export const checksForEveryone: DiagnosticCheck[] = [
  {
    id: 'browser',
    name: 'Browser',
    meaning: 'This browser is online and can store what you write.',
    remedy: 'Use a regular window, or allow this site to store data.',
    inBrowser: true,
    async run() {
      const detail = await getBrowserDetails()
      if (!detail.storage) throw new CheckFailed('This browser blocks storage for this site.', detail)
      return { message: `${detail.viewport} px, ${detail.timeZone}`, detail }
    },
  },
  {
    id: 'ping',
    name: 'Ping',
    meaning: 'The server process answers.',
    remedy: serverDownRemedy,
    async run({ request }) {
      const { meta } = await requestSuccess(request, diagnostics.ping)
      return { message: `GET /ping answered ${meta.status}`, detail: meta }
    },
  },
  {
    id: 'cors',
    name: 'CORS',
    meaning: 'Pages from this address can call the server; pages from other sites can’t.',
    remedy: 'Remove headers that allow other origins from the proxy in front of the server.',
    async run({ request }) {
      const { status, headers, meta } = await request(diagnostics.ping, { method: 'OPTIONS' })
      const allowedOrigin = headers.get('Access-Control-Allow-Origin')
      const detail = { ...meta, page_origin: location.origin, allowed_origin: allowedOrigin }
      if (status !== 200 && status !== 204) throw new CheckFailed(`OPTIONS /ping answered ${status}`, detail)
      if (allowedOrigin !== null && allowedOrigin !== location.origin)
        throw new CheckFailed('OPTIONS /ping allows other sites.', detail)
      return { message: 'OPTIONS /ping: this address only', detail }
    },
  },
  {
    id: 'health',
    name: 'Health',
    meaning: 'The server is ready: its database answers and is up to date, and its data folder is writable.',
    remedy: 'Check the reasons listed. If you have permission, use Fix database below to apply pending migrations.',
    async run({ request }) {
      const { status, body, meta } = await request(diagnostics.health)
      const { reasons = [] } = (body ?? {}) as { reasons?: string[] }
      const detail = { ...meta, reasons }
      if (status !== 200) throw new CheckFailed(reasons.join(' ') || `GET /health answered ${status}`, detail)
      return { message: 'GET /health answered 200', detail }
    },
  },
  {
    id: 'platform-status',
    name: 'Platform status',
    meaning: 'The status address that the hosting provider monitors reports that the platform is up.',
    remedy: serverDownRemedy,
    async run({ request }) {
      const { data, meta } = await requestSuccess(request, diagnostics.platformStatus, { mode: 'cors' })
      const { status } = data
      const detail = { ...meta, platform_status: status }
      if (status !== 'ok') throw new CheckFailed(`GET /railway-status says ${status}`, detail)
      return { message: 'GET /railway-status says ok', detail }
    },
  },
  {
    id: 'server-facts',
    name: 'Server details',
    meaning:
      'The server reports its status. When you’re signed in, the report includes its database engine and uptime.',
    remedy: serverDownRemedy,
    async run({ request, user }) {
      const { data, meta } = await requestSuccess(request, diagnostics.facts)
      const { status, reasons, server } = data
      const detail = { ...meta, server_status: status, reasons, ...server }
      if (status !== 'ok') throw new CheckFailed(reasons.join(' ') || `GET /debug says ${status}`, detail)
      if (user && !server) throw new CheckFailed('GET /debug doesn’t recognize your session.', detail)
      return { message: server ? `GET /debug: ${server.engine}` : 'GET /debug: running', detail }
    },
  },
  {
    id: 'themes',
    name: 'Themes',
    meaning: 'Page colors can be loaded.',
    remedy: 'For now, pages use Keeper Classic. Reload the page. If this check fails again, send the report.',
    async run({ request }) {
      const { data: list, meta } = await requestSuccess(request, themes.list)
      const classic = list.find(({ slug }) => slug === 'keeper-classic')
      const detail = { ...meta, themes: list.length, classic: Boolean(classic?.light && classic.dark) }
      if (!detail.classic) throw new CheckFailed('Keeper Classic isn’t in the list of themes.', detail)
      return { message: `GET /api/themes returned ${list.length}`, detail }
    },
  },
]

async function getBrowserDetails() {
  const estimate = await navigator.storage?.estimate?.().catch(() => undefined)
  return {
    online: navigator.onLine,
    storage: isStorageWorking(),
    storage_used: estimate?.usage ?? null,
    storage_quota: estimate?.quota ?? null,
    service_worker: describeServiceWorker(),
    cookies: 'not used to sign in',
    secure_context: isSecureContext,
    viewport: `${innerWidth} × ${innerHeight}`,
    pixel_ratio: devicePixelRatio,
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    language: navigator.language,
    reduced_motion: matchMedia('(prefers-reduced-motion: reduce)').matches,
    dark: matchMedia('(prefers-color-scheme: dark)').matches,
  } satisfies CheckDetail
}

function describeServiceWorker(): string {
  if (!('serviceWorker' in navigator)) return 'not available'
  return navigator.serviceWorker.controller ? 'in control' : 'not in control'
}

function isStorageWorking(): boolean {
  const probe = 'keeper_probe'
  try {
    localStorage.setItem(probe, probe)
    const isStored = localStorage.getItem(probe) === probe
    localStorage.removeItem(probe)
    return isStored
  } catch {
    return false
  }
}
