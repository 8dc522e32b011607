import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, request as sendRequest } from 'node:http'
import type { Socket } from 'node:net'

export interface LossyProxy {
  url: string
  isCut: boolean
  /** Probability from 0 to 1 that the response of a successful write is lost. */
  responseLossRate: number
  /** Planted defect: each attempt gets a new ID and idempotency key. */
  forgetsIds: boolean
  /** IDs of created entries in order of arrival, including retries. */
  created: string[]
  lostResponseCount: number
  close(): Promise<void>
}

export async function startLossyProxy(port: number, targetPort: number): Promise<LossyProxy> {
  const sockets = new Set<Socket>()
  let isCut = false
  const server = createServer((request, response) => {
    if (isCut) return void request.socket.destroy()
    void readBody(request).then((receivedBody) => {
      const headers = { ...request.headers }
      const body = proxy.forgetsIds ? replaceId(request, headers, receivedBody) : receivedBody
      const forwarded = sendRequest(
        { port: targetPort, method: request.method, path: request.url, headers },
        (answer) => {
          const isLost =
            request.method !== 'GET' && (answer.statusCode ?? 500) < 300 && Math.random() < proxy.responseLossRate
          if (request.method === 'POST' && (answer.statusCode ?? 500) < 300) recordCreated(body)
          if (isCut || isLost) {
            if (isLost) proxy.lostResponseCount += 1
            answer.resume()
            return void request.socket.destroy()
          }
          response.writeHead(answer.statusCode ?? 500, answer.headers)
          answer.pipe(response)
        },
      )
      forwarded.on('error', () => request.socket.destroy())
      response.on('close', () => forwarded.destroy())
      forwarded.end(body)
    })
  })
  server.on('connection', (socket) => {
    if (isCut) return void socket.destroy()
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const recordCreated = (body: Buffer) => {
    const id = readId(body)
    if (id) proxy.created.push(id)
  }
  const proxy: LossyProxy = {
    url: `http://127.0.0.1:${port}`,
    get isCut() {
      return isCut
    },
    set isCut(next) {
      isCut = next
      if (isCut) for (const socket of sockets) socket.destroy()
    },
    responseLossRate: 0,
    forgetsIds: false,
    created: [],
    lostResponseCount: 0,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
  }
  return proxy
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

function readId(body: Buffer): string | undefined {
  try {
    const { id } = JSON.parse(body.toString()) as { id?: unknown }
    return typeof id === 'string' ? id : undefined
  } catch {
    return undefined
  }
}

function replaceId(request: IncomingMessage, headers: IncomingMessage['headers'], body: Buffer): Buffer {
  if (request.method !== 'POST' || !readId(body)) return body
  delete headers['idempotency-key']
  const parsedBody = JSON.parse(body.toString()) as object
  const changed = Buffer.from(JSON.stringify({ ...parsedBody, id: randomBytes(16).toString('hex') }))
  headers['content-length'] = String(changed.length)
  return changed
}
