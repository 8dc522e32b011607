import type { IncomingMessage } from 'node:http'
import type { Settings } from '#server/settings.ts'

/** What @hono/node-server passes along; absent when a test calls the app in process. */
export interface NodeBindings {
  incoming?: IncomingMessage
}

/**
 * The client's address: the socket's, or behind n trusted proxies the n-th `X-Forwarded-For` entry from the right.
 * Anything further left was written by the client and is not believed.
 */
export function clientAddress(request: Request, bindings: NodeBindings | undefined, trustedProxies: number): string {
  const socketAddress = bindings?.incoming?.socket.remoteAddress ?? '127.0.0.1'
  if (trustedProxies === 0) return socketAddress
  const forwarded = (request.headers.get('x-forwarded-for') ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)
  return forwarded.at(-trustedProxies) ?? socketAddress
}

export function isSecure(request: Request, settings: Settings): boolean {
  if (settings.publicUrl) return settings.publicUrl.startsWith('https:')
  return settings.trustedProxies > 0 && request.headers.get('x-forwarded-proto') === 'https'
}
