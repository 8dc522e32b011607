import { isIP } from 'node:net'
import type { Services } from '#server/services.ts'
import type { Settings } from '#server/settings/settings.ts'
import type { NodeBindings } from './client-address.ts'

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
  const host = request.headers.get('host') ?? getHost(request.url)
  // An absolute request target with another host is an attempt at cache poisoning.
  const target = bindings?.incoming?.url
  if (target && /^https?:/i.test(target) && getHost(target) !== host.toLowerCase()) return null
  const name = getHostName(host)
  if (isServerHost(name, settings)) return 'own'
  return customHosts.find(normalizeHostName(name)) ?? null
}

function hasSeveralHosts(rawHeaders: readonly string[]): boolean {
  let hostCount = 0
  for (let index = 0; index < rawHeaders.length; index += 2)
    if (rawHeaders[index]!.length === 4 && rawHeaders[index]!.toLowerCase() === 'host') hostCount++
  return hostCount > 1
}

function isServerHost(name: string, settings: Settings): boolean {
  if (name === 'localhost' || name.endsWith('.localhost')) return true
  if (settings.publicUrl) return name === new URL(settings.publicUrl).hostname || isLoopback(name)
  return isIP(name) !== 0 || name === settings.host
}

export function normalizeHostName(name: string): string {
  return name.toLowerCase().replace(/\.$/, '')
}

function getHost(url: string): string {
  return URL.parse(url)?.host ?? ''
}

function getHostName(host: string): string {
  if (host.startsWith('[')) return host.slice(1, host.indexOf(']'))
  return host.replace(/:\d+$/, '').toLowerCase()
}

function isLoopback(name: string): boolean {
  return name === '127.0.0.1' || name === '::1'
}
