import type { IncomingMessage, ServerResponse } from 'node:http'
import { isIP } from 'node:net'
import { isForwardedByHttps } from '#server/settings/public-url.ts'
import type { Settings } from '#server/settings/settings.ts'
import type { Site } from './host-check.ts'

export interface NodeBindings {
  incoming?: IncomingMessage
  outgoing?: ServerResponse
  onStreamStart?: () => void
  site?: Site
  /** Set by the router: the pattern of the matched address, such as `/api/keepers/:id`. */
  routePattern?: string
}

/** The socket's address, or behind n trusted proxies the n-th `X-Forwarded-For` entry from the right. */
export function getClientAddress(request: Request, bindings: NodeBindings | undefined, trustedProxies: number): string {
  const socketAddress = bindings?.incoming?.socket.remoteAddress ?? '127.0.0.1'
  return getNetwork(trustedProxies === 0 ? socketAddress : getForwardedAddress(request, trustedProxies, socketAddress))
}

function getForwardedAddress(request: Request, trustedProxies: number, socketAddress: string): string {
  const forwarded = (request.headers.get('x-forwarded-for') ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)
  const address = removePort(forwarded.at(-trustedProxies) ?? '')
  return isIP(address) === 0 ? socketAddress : address
}

/** Some proxies append the changing port: `203.0.113.7:50123`, `[2001:db8::1]:50123`. */
function removePort(entry: string): string {
  return /^\[(.+)\](?::\d+)?$/.exec(entry)?.[1] ?? /^([\d.]+):\d+$/.exec(entry)?.[1] ?? entry
}

/** The unit of limits: an IPv4 address, or an IPv6 /64, which belongs to one client. */
export function getNetwork(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  if (mapped) return mapped
  if (isIP(address) !== 6) return address
  const [head = '', tail] = address.toLowerCase().split('%')[0]?.split('::') ?? []
  const groups = head ? head.split(':') : []
  const zeros = tail === undefined ? 0 : 8 - groups.length - (tail ? tail.split(':').length : 0)
  const allGroups = [...groups, ...Array.from({ length: zeros }, () => '0'), ...(tail ? tail.split(':') : [])]
  return `${allGroups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`
}

export function isSecure(request: Request, settings: Settings): boolean {
  if (settings.publicUrl) return settings.publicUrl.startsWith('https:')
  return settings.trustedProxies > 0 && isForwardedByHttps(request)
}
