import { Agent, createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http'
import { isMain } from '../../server/start/require-node.ts'

// Tries another process only if no connection was made, so a sent request is never repeated.

export function createRoundRobinProxy(targets: string[]): Server {
  const agents = new Map(targets.map((target) => [target, new Agent({ keepAlive: true, maxSockets: 10_000 })]))
  let nextTarget = 0

  const forward = (incoming: IncomingMessage, outgoing: ServerResponse, triedCount: number): void => {
    const target = targets[nextTarget++ % targets.length] ?? ''
    const { hostname, port } = new URL(target)
    const forwarded = [incoming.headers['x-forwarded-for'], incoming.socket.remoteAddress].filter(Boolean).join(', ')
    const outgoingRequest = request({
      hostname,
      port,
      method: incoming.method,
      path: incoming.url,
      agent: agents.get(target),
      headers: { ...incoming.headers, 'x-forwarded-for': forwarded },
    })
    let isConnected = false
    outgoingRequest.once('socket', (socket) => {
      const startPipe = () => {
        isConnected = true
        incoming.pipe(outgoingRequest)
      }
      if (socket.connecting) socket.once('connect', startPipe)
      else startPipe()
    })
    outgoingRequest.once('response', (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, { ...answer.headers, 'x-served-by': target })
      outgoing.flushHeaders()
      answer.pipe(outgoing)
      // A killed process must not look like a complete response.
      answer.once('aborted', () => outgoing.destroy())
      outgoing.once('close', () => answer.destroy())
    })
    outgoingRequest.once('error', () => {
      if (outgoing.headersSent) outgoing.destroy()
      else if (!isConnected && triedCount + 1 < targets.length) forward(incoming, outgoing, triedCount + 1)
      else outgoing.writeHead(502, { 'content-type': 'application/json' }).end('{"success":false,"error":"no process"}')
    })
    outgoing.once('close', () => outgoingRequest.destroy())
  }

  return createServer((incoming, outgoing) => forward(incoming, outgoing, 0))
}

if (isMain(import.meta)) {
  const [port, ...targets] = process.argv.slice(2)
  createRoundRobinProxy(targets).listen(Number(port), '127.0.0.1')
}
