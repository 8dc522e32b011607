import { randomBytes } from 'node:crypto'
import { request as ask, createServer, type IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'

/** What stands between a browser and the server: it may be cut, and it may lose answers of what arrived. */
export interface Road {
  url: string
  /** Nothing comes through. */
  cut: boolean
  /** From 0 to 1: of the changes that the server took, how many answers never come back. */
  answersLost: number
  /** The defect of a control: whatever is created gets another id and another key at every try. */
  forgetsIds: boolean
  /** The ids of what was created, in the order in which they arrived, each try of them. */
  created: string[]
  lostAnswers: number
  close(): Promise<void>
}

export async function openRoad(port: number, to: number): Promise<Road> {
  const sockets = new Set<Socket>()
  let cut = false
  const server = createServer((request, response) => {
    if (cut) return void request.socket.destroy()
    void read(request).then((given) => {
      const headers = { ...request.headers }
      const body = road.forgetsIds ? withAnotherId(request, headers, given) : given
      const onward = ask({ port: to, method: request.method, path: request.url, headers }, (answer) => {
        const loses = request.method !== 'GET' && (answer.statusCode ?? 500) < 300 && Math.random() < road.answersLost
        if (request.method === 'POST' && (answer.statusCode ?? 500) < 300) note(body)
        if (cut || loses) {
          if (loses) road.lostAnswers += 1
          answer.resume()
          return void request.socket.destroy()
        }
        response.writeHead(answer.statusCode ?? 500, answer.headers)
        answer.pipe(response)
      })
      onward.on('error', () => request.socket.destroy())
      response.on('close', () => onward.destroy())
      onward.end(body)
    })
  })
  server.on('connection', (socket) => {
    if (cut) return void socket.destroy()
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  await new Promise<void>((ready) => server.listen(port, '127.0.0.1', ready))
  const note = (body: Buffer) => {
    const id = idIn(body)
    if (id) road.created.push(id)
  }
  const road: Road = {
    url: `http://127.0.0.1:${port}`,
    get cut() {
      return cut
    },
    set cut(next) {
      cut = next
      if (cut) for (const socket of sockets) socket.destroy()
    },
    answersLost: 0,
    forgetsIds: false,
    created: [],
    lostAnswers: 0,
    close: () =>
      new Promise((done) => {
        server.close(() => done())
        for (const socket of sockets) socket.destroy()
      }),
  }
  return road
}

async function read(request: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = []
  for await (const piece of request) pieces.push(piece as Buffer)
  return Buffer.concat(pieces)
}

function idIn(body: Buffer): string | undefined {
  try {
    const { id } = JSON.parse(body.toString()) as { id?: unknown }
    return typeof id === 'string' ? id : undefined
  } catch {
    return undefined
  }
}

function withAnotherId(request: IncomingMessage, headers: IncomingMessage['headers'], body: Buffer): Buffer {
  if (request.method !== 'POST' || !idIn(body)) return body
  delete headers['idempotency-key']
  const said = JSON.parse(body.toString()) as object
  const changed = Buffer.from(JSON.stringify({ ...said, id: randomBytes(16).toString('hex') }))
  headers['content-length'] = String(changed.length)
  return changed
}
