import type { Services } from '#server/services.ts'
import { parseHost, type Site } from './host-check.ts'
import { logOncePerSubject } from './log.ts'
import { Problem } from './problem.ts'

/**
 * Browsers send Origin on every cross-site write; the visitor cookie must not act for another site. The origin is
 * compared with KEEPER_PUBLIC_URL too, because proxies can change the port in Host. @throws Problem 403
 */
export function refuseForeignOrigin(
  { settings, log }: Pick<Services, 'settings' | 'log'>,
  request: Request,
  site?: Site,
): void {
  if (request.method === 'GET') return
  const origin = request.headers.get('origin')
  if (!origin) return
  const host = request.headers.get('host')
  const sent = parseOrigin(origin)
  if (sent && (host === null || isSameSite(sent, host, settings.publicUrl, site))) return
  const sentText = `Origin is ${origin.slice(0, 300)}`
  const expectedText = settings.publicUrl
    ? `KEEPER_PUBLIC_URL is ${settings.publicUrl}`
    : `KEEPER_PUBLIC_URL isn’t set, and Host is ${host?.slice(0, 300)}`
  logOncePerSubject(log, `origin ${origin} ${host}`, () =>
    log.warn(
      { origin: origin.slice(0, 300), host: host?.slice(0, 300), KEEPER_PUBLIC_URL: settings.publicUrl },
      'refused a write from another site; if people use that origin, set KEEPER_PUBLIC_URL to it',
    ),
  )
  throw new Problem('forbidden', {
    message: `This request came from another site: its ${sentText}, but ${expectedText}. If you run this server, set KEEPER_PUBLIC_URL to the address people use.`,
  })
}

function isSameSite(sent: URL, host: string, publicUrl: string | null, site: Site | undefined): boolean {
  // Parsed with the origin's scheme, because a Host header leaves out the default port of its scheme.
  const requested = URL.parse(`${sent.protocol}//${parseHost(host)?.host ?? ''}`)
  if (requested && sent.origin === requested.origin) return true
  if (!publicUrl) return false
  const expected = parseOrigin(publicUrl)
  if (!expected) return false
  // Custom hosts are served at the scheme and port of the public address.
  if (site && requested) expected.hostname = requested.hostname
  return sent.origin === expected.origin
}

function parseOrigin(text: string): URL | null {
  const url = URL.parse(text)
  if (!url || !['http:', 'https:'].includes(url.protocol)) return null
  url.hostname = url.hostname.replace(/\.$/, '')
  return url
}
