import { AsyncLocalStorage } from 'node:async_hooks'
import type { Services } from '../services.ts'
import type { Settings } from './settings.ts'

type AddressSettings = Pick<Settings, 'publicUrl' | 'host' | 'port'>

/** The names of this computer, as `URL.hostname` spells them. */
export const loopbackHosts: readonly string[] = ['localhost', '127.0.0.1', '[::1]']

const requestOrigins = new AsyncLocalStorage<string>()

/**
 * The server's base URL as people open it, without a trailing slash. A link in an email never depends on a Host header:
 * a server without an address of its own sends no emails ({@link hasOwnAddress}).
 */
export function getPublicUrl({ settings }: { settings: AddressSettings }): string {
  const { publicUrl, host, port } = settings
  if (publicUrl) return publicUrl
  const origin = requestOrigins.getStore()
  if (origin) return origin
  return isWildcard(host) ? `http://localhost:${port}` : `http://${toUrlHost(host)}:${port}`
}

/** False if Keeper listens on every address of the machine and no setting says which one people use. */
export function hasOwnAddress({ publicUrl, host }: Pick<AddressSettings, 'publicUrl' | 'host'>): boolean {
  return publicUrl !== null || !isWildcard(host)
}

/**
 * Without a configured address, links created by `work` start with the address of the request: programs refuse a server
 * at localhost that calls itself 127.0.0.1.
 */
export function withRequestOrigin<Result>(
  { settings }: Pick<Services, 'settings'>,
  request: Request,
  work: () => Result,
): Result {
  if (settings.publicUrl) return work()
  const scheme = settings.trustedProxies > 0 && isForwardedByHttps(request) ? 'https' : 'http'
  const url = URL.parse(`${scheme}://${request.headers.get('host')}`) ?? new URL(request.url)
  const isNamedByRequest =
    isWildcard(settings.host) || [toUrlHost(settings.host), url.hostname].every((name) => loopbackHosts.includes(name))
  if (!isNamedByRequest) return work()
  return requestOrigins.run(`${scheme}://${url.host}`, work)
}

/** With several proxies, the outermost one adds the first value. */
export function isForwardedByHttps(request: Request): boolean {
  const [scheme = ''] = (request.headers.get('x-forwarded-proto') ?? '').split(',')
  return scheme.trim().toLowerCase() === 'https'
}

const toUrlHost = (host: string) => (host.includes(':') ? `[${host}]` : host)

function isWildcard(host: string): boolean {
  const name = URL.parse(`http://${toUrlHost(host)}`)?.hostname
  return name === '0.0.0.0' || name === '[::]' || name === '[::ffff:0:0]'
}
