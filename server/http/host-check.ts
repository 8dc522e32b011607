import { isIP } from 'node:net'
import type { Services } from '#server/services.ts'
import type { Settings } from '#server/settings.ts'
import type { NodeBindings } from './client-address.ts'

/** The domain whose custom host a request came to. */
export interface Site {
  domainId: string
}

/**
 * What this server is for the host a request names: `own`, the site of a domain, or nothing. A page of another site that
 * points its own name at us (DNS rebinding) must not be answered, so names are exact; a bare IP address cannot be rebound.
 */
export function servedHost(
  request: Request,
  bindings: NodeBindings | undefined,
  { settings, customHosts }: Pick<Services, 'settings' | 'customHosts'>,
): 'own' | Site | null {
  const raw = bindings?.incoming?.rawHeaders
  // Node keeps the first of several Host headers and says nothing; a proxy in front may have gone by the other one.
  if (raw && namesHostTwice(raw)) return null
  const host = request.headers.get('host') ?? hostOf(request.url)
  // A request line may carry a whole address; one that names another host than the header tries to confuse a cache.
  const target = bindings?.incoming?.url
  if (target && /^https?:/i.test(target) && hostOf(target) !== host.toLowerCase()) return null
  const name = nameOf(host)
  if (isOwn(name, settings)) return 'own'
  return customHosts.find(plainName(name)) ?? null
}

/** `rawHeaders`: names and values in turn. */
function namesHostTwice(rawHeaders: readonly string[]): boolean {
  let times = 0
  for (let at = 0; at < rawHeaders.length; at += 2)
    if (rawHeaders[at]!.length === 4 && rawHeaders[at]!.toLowerCase() === 'host') times++
  return times > 1
}

function isOwn(name: string, settings: Settings): boolean {
  if (name === 'localhost' || name.endsWith('.localhost')) return true
  if (settings.publicUrl) return name === new URL(settings.publicUrl).hostname || isLoopback(name)
  return isIP(name) !== 0 || name === settings.host
}

/** As hosts are kept and compared: lower case, without the dot that ends a whole name. */
export function plainName(name: string): string {
  return name.toLowerCase().replace(/\.$/, '')
}

function hostOf(url: string): string {
  return URL.parse(url)?.host ?? ''
}

function nameOf(host: string): string {
  if (host.startsWith('[')) return host.slice(1, host.indexOf(']'))
  return host.replace(/:\d+$/, '').toLowerCase()
}

function isLoopback(name: string): boolean {
  return name === '127.0.0.1' || name === '::1'
}
