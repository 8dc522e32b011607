import { isIP } from 'node:net'
import type { Services } from '#server/services.ts'
import type { Settings } from '#server/settings/settings.ts'
import { stripBrackets } from '#server/values/strip-brackets.ts'
import type { NodeBindings } from './client-address.ts'
import { logOncePerSubject } from './log.ts'
import { Problem } from './problem.ts'
import { toProblemResponse } from './problem-response.ts'
import { securityHeaders } from './security-headers.ts'

export interface Site {
  domainId: string
}

/** Names must match exactly, which defeats DNS rebinding; a bare IP address can't be rebound. */
export function resolveServedHost(
  request: Request,
  bindings: NodeBindings | undefined,
  { settings, customHosts }: Pick<Services, 'settings' | 'customHosts'>,
): 'own' | Site | null {
  const raw = bindings?.incoming?.rawHeaders
  // Node silently uses the first of several Host headers; a proxy may have used another one.
  if (raw && hasSeveralHosts(raw)) return null
  const host = parseHost(request.headers.get('host') ?? getHost(request.url))
  if (!host) return null
  // An absolute request target with another host is an attempt at cache poisoning.
  const target = bindings?.incoming?.url
  if (target && /^https?:/i.test(target) && parseHost(getHost(target))?.host !== host.host) return null
  if (isServerHost(host.name, settings)) return 'own'
  return customHosts.find(host.name) ?? null
}

function hasSeveralHosts(rawHeaders: readonly string[]): boolean {
  let hostCount = 0
  for (let index = 0; index < rawHeaders.length; index += 2)
    if (rawHeaders[index]!.length === 4 && rawHeaders[index]!.toLowerCase() === 'host') hostCount++
  return hostCount > 1
}

function isServerHost(name: string, settings: Settings): boolean {
  if (name === 'localhost' || name.endsWith('.localhost')) return true
  if (settings.publicUrl) return name === getPublicHostName(settings) || isLoopback(name)
  return isIP(stripBrackets(name)) !== 0 || name === normalizeHostName(settings.host)
}

export function getPublicHostName({ publicUrl }: Pick<Settings, 'publicUrl'>): string | null {
  return publicUrl === null ? null : (parseHost(new URL(publicUrl).host)?.name ?? null)
}

export function normalizeHostName(name: string): string {
  return name.toLowerCase().replace(/\.$/, '')
}

/**
 * Normalizes a Host header: lower case, punycode, short IPv6 in brackets, no final dot. `host` includes a
 * port other than 80. Headers arrive as Latin-1, even if they were UTF-8. Null if it isn't a valid host.
 */
export function parseHost(header: string): { host: string; name: string } | null {
  // A zone, as in [fe80::1%eth0], has a meaning only on the client.
  const text = Buffer.from(header, 'latin1')
    .toString()
    .replace(/^(\[[\da-f:.]+)%[^\]]*\]/i, '$1]')
  if (/[\s/?#@\\%]/.test(text)) return null
  const url = URL.parse(`http://${text}`)
  if (!url) return null
  const name = url.hostname.replace(/\.$/, '')
  return { host: url.port === '' ? name : `${name}:${url.port}`, name }
}

function getHost(url: string): string {
  return URL.parse(url)?.host ?? ''
}

function isLoopback(name: string): boolean {
  return name === '127.0.0.1' || name === '[::1]'
}

const remedy = 'set KEEPER_PUBLIC_URL to the address people use, and restart Keeper'

const wrongHostPage = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>Keeper doesn’t answer at this address</title>
<h1>Keeper doesn’t answer at this address</h1>
<p>Open Keeper at the address you were given.</p>
<p>If you run this server and people should use this address, ${remedy}, for example:</p>
<pre>KEEPER_PUBLIC_URL=https://keeper.example.org</pre>
</html>
`

/** Never repeats the requested host, because a cached answer could send others there. */
export function refuseWrongHost(services: Services, request: Request): Response {
  const { log, settings } = services
  const host = (request.headers.get('host') ?? '').slice(0, 300)
  logOncePerSubject(log, `host ${host}`, () =>
    log.warn(
      { host, KEEPER_PUBLIC_URL: settings.publicUrl },
      `refused a request for a host that isn’t this server’s; if it should be, ${remedy}`,
    ),
  )
  const isPage = request.method === 'GET' && (request.headers.get('accept') ?? '').includes('text/html')
  if (!isPage)
    return toProblemResponse(
      services,
      request,
      new Problem('wrong-host', {
        message: `This server doesn’t answer for that host name. If you run it and people should use that name, ${remedy}.`,
      }),
    )
  return new Response(wrongHostPage, {
    status: 421,
    headers: { ...securityHeaders, 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' },
  })
}
