import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerOptions } from 'node:http'
import type { Socket } from 'node:net'
import { createAdaptorServer } from '@hono/node-server'
import { getNetwork, type NodeBindings } from './client-address.ts'
import { parseHost } from './host-check.ts'

/** Health probes use an IP address or no Host header; their responses reveal nothing that the host check protects. */
export function isProbe({ method, url }: { method: string; url: string }): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false
  return /^(?:https?:\/\/[^/?#]*)?\/(?:ping|health)(?:\?|$)/i.test(url)
}

export function createHttpServer(
  fetch: (request: Request, bindings: NodeBindings) => Response | Promise<Response>,
): Server {
  return createAdaptorServer({
    fetch: fetch as Parameters<typeof createAdaptorServer>[0]['fetch'],
    createServer: ((options: ServerOptions, listener: RequestListener) =>
      createServer({ ...options, requireHostHeader: false }, (incoming, outgoing) => {
        canonicalizeHost(incoming)
        listener(incoming, outgoing)
      })) as typeof createServer,
  }) as Server
}

/** The adapter rejects hosts in other forms. Only the copy in `headers` is replaced; `resolveServedHost` reads the raw one. */
function canonicalizeHost(incoming: IncomingMessage): void {
  if (isProbe(incoming as { method: string; url: string })) incoming.headers.host = 'localhost'
  else if (incoming.headers.host !== undefined)
    incoming.headers.host = parseHost(incoming.headers.host)?.host ?? incoming.headers.host
}

const maxUnsentBytes = 256 * 1024 * 1024
const checkIntervalMs = 1000

/** Closes the connections of the addresses with the most unsent bytes while the total exceeds `maxBytes`. Returns a function that stops the checks. */
export function limitUnsentBytes(
  connections: Iterable<Socket>,
  { maxBytes = maxUnsentBytes, intervalMs = checkIntervalMs } = {},
): () => void {
  const timer = setInterval(() => {
    let unsentBytes = 0
    for (const { writableLength } of connections) unsentBytes += writableLength
    if (unsentBytes > maxBytes) closeGreediest(connections, unsentBytes - maxBytes)
  }, intervalMs)
  timer.unref()
  return () => clearInterval(timer)
}

function closeGreediest(connections: Iterable<Socket>, excessBytes: number): void {
  const byAddress = Map.groupBy(connections, ({ remoteAddress }) => getNetwork(remoteAddress ?? ''))
  const sumUnsent = (sockets: Socket[]) => sockets.reduce((total, { writableLength }) => total + writableLength, 0)
  const greediestFirst = [...byAddress.values()].toSorted((one, other) => sumUnsent(other) - sumUnsent(one))
  let freedBytes = 0
  for (const sockets of greediestFirst) {
    for (const socket of sockets.toSorted((one, other) => other.writableLength - one.writableLength)) {
      if (freedBytes >= excessBytes) return
      freedBytes += socket.writableLength
      socket.destroy()
    }
  }
}
