import type { IncomingMessage, ServerResponse } from 'node:http'
import { isIP } from 'node:net'
import type { Settings } from '#server/settings.ts'
import type { Site } from './host-check.ts'

/** What @hono/node-server passes along; absent when a test calls the app in process. */
export interface NodeBindings {
  incoming?: IncomingMessage
  outgoing?: ServerResponse
  /** Put in by the server: the answer to this request is one that goes on. */
  streamBegins?: () => void
  /** Put in by the app, where the request came to a custom host. */
  site?: Site
}

/**
 * The client's address as far as limits need it: the socket's, or behind n trusted proxies the n-th `X-Forwarded-For` entry from the right.
 * Anything further left was written by the client and is not believed.
 */
export function clientAddress(request: Request, bindings: NodeBindings | undefined, trustedProxies: number): string {
  const socketAddress = bindings?.incoming?.socket.remoteAddress ?? '127.0.0.1'
  return networkOf(trustedProxies === 0 ? socketAddress : forwardedAddress(request, trustedProxies, socketAddress))
}

function forwardedAddress(request: Request, trustedProxies: number, socketAddress: string): string {
  const forwarded = (request.headers.get('x-forwarded-for') ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)
  const address = withoutPort(forwarded.at(-trustedProxies) ?? '')
  return isIP(address) === 0 ? socketAddress : address
}

/** Some proxies write the port with it, which is another for each connection: `203.0.113.7:50123`, `[2001:db8::1]:50123`. */
function withoutPort(entry: string): string {
  return /^\[(.+)\](?::\d+)?$/.exec(entry)?.[1] ?? /^([\d.]+):\d+$/.exec(entry)?.[1] ?? entry
}

/** Whom limits count: an IPv4 address, or the /64 of an IPv6 one, because whoever has one of those has all of them. */
export function networkOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  if (mapped) return mapped
  if (isIP(address) !== 6) return address
  const [head = '', tail] = address.toLowerCase().split('%')[0]?.split('::') ?? []
  const groups = head ? head.split(':') : []
  const zeros = tail === undefined ? 0 : 8 - groups.length - (tail ? tail.split(':').length : 0)
  const all = [...groups, ...Array.from({ length: zeros }, () => '0'), ...(tail ? tail.split(':') : [])]
  return `${all
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`
}

export function isSecure(request: Request, settings: Settings): boolean {
  if (settings.publicUrl) return settings.publicUrl.startsWith('https:')
  return settings.trustedProxies > 0 && request.headers.get('x-forwarded-proto') === 'https'
}
