import { randomInt } from 'node:crypto'
import { createServer, type Socket } from 'node:net'
import pg from 'pg'

/** Like PgBouncer in transaction mode: a client has a server connection only until its transaction ends. */
export async function startTransactionPooler(databaseUrl: string, { size = 3 } = {}) {
  const pool = new ServerConnections(databaseUrl, size)
  const clients = new Set<Socket>()
  const server = createServer((socket) => {
    clients.add(socket)
    socket.on('close', () => clients.delete(socket)).on('error', () => {})
    serveClient(socket, pool)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = new URL(databaseUrl)
  url.host = `127.0.0.1:${(server.address() as { port: number }).port}`
  return {
    url: url.href,
    async close() {
      for (const socket of clients) socket.destroy()
      server.close()
      await pool.close()
    },
  }
}

interface ServerConnection {
  client: pg.Client
  stream: Socket
}

class ServerConnections {
  readonly #databaseUrl: string
  readonly #size: number
  readonly #all = new Set<ServerConnection>()
  readonly #idle: ServerConnection[] = []
  readonly #waiting: ((connection: ServerConnection) => void)[] = []
  #opened = 0

  constructor(databaseUrl: string, size: number) {
    this.#databaseUrl = databaseUrl
    this.#size = size
  }

  async take(): Promise<ServerConnection> {
    const idle = this.#idle.pop()
    if (idle) return idle
    if (this.#opened >= this.#size) return new Promise((resolve) => this.#waiting.push(resolve))
    this.#opened++
    const client = new pg.Client(this.#databaseUrl)
    client.on('error', () => {})
    await client.connect()
    const { stream } = (client as pg.Client & { connection: { stream: Socket } }).connection
    stream.removeAllListeners('data')
    const connection = { client, stream }
    this.#all.add(connection)
    return connection
  }

  give(connection: ServerConnection): void {
    const next = this.#waiting.shift()
    if (next) next(connection)
    else this.#idle.push(connection)
  }

  drop(connection: ServerConnection): void {
    connection.stream.destroy()
    this.#all.delete(connection)
    this.#opened--
  }

  async close(): Promise<void> {
    for (const { stream } of this.#all) stream.destroy()
  }
}

const sslRequest = 80_877_103
/** Message types of the PostgreSQL protocol. */
const messageTypes = {
  query: 'Q',
  sync: 'S',
  terminate: 'X',
  readyForQuery: 'Z',
  error: 'E',
  backendKey: 'K',
  authentication: 'R',
}
const allowedParameters = new Set(['user', 'database', 'application_name', 'client_encoding', 'datestyle', 'timezone'])

function serveClient(socket: Socket, pool: ServerConnections): void {
  let receivedBytes = Buffer.alloc(0)
  let isStarted = false
  let connection: ServerConnection | undefined
  let pendingReadyMessages = 0
  let isTransactionOpen = false
  let work = Promise.resolve()

  const onServerData = splitFrames((type, frame) => {
    socket.write(frame)
    if (type !== messageTypes.readyForQuery) return
    pendingReadyMessages--
    isTransactionOpen = frame[5] !== 'I'.charCodeAt(0)
    if (isTransactionOpen || pendingReadyMessages > 0 || !connection) return
    connection.stream.removeListener('data', onServerData)
    pool.give(connection)
    connection = undefined
  })
  const forward = async (type: string, frame: Buffer) => {
    if (type === messageTypes.terminate) return void socket.end()
    if (!connection) {
      connection = await pool.take()
      connection.stream.on('data', onServerData)
    }
    if (type === messageTypes.query || type === messageTypes.sync) pendingReadyMessages++
    connection.stream.write(frame)
  }
  const onClientFrames = splitFrames((type, frame) => {
    work = work.then(() => forward(type, frame)).catch(() => void socket.destroy())
  })
  socket.on('close', () => {
    if (!connection) return
    connection.stream.removeListener('data', onServerData)
    pool.drop(connection)
  })
  socket.on('data', (bytes) => {
    if (isStarted) return onClientFrames(bytes)
    receivedBytes = Buffer.concat([receivedBytes, bytes])
    while (!isStarted && receivedBytes.length >= 8 && receivedBytes.length >= receivedBytes.readInt32BE(0)) {
      const startup = receivedBytes.subarray(0, receivedBytes.readInt32BE(0))
      receivedBytes = receivedBytes.subarray(startup.length)
      if (startup.readInt32BE(4) === sslRequest) socket.write('N')
      else {
        isStarted = true
        answerStartup(socket, startup)
      }
    }
    if (isStarted && receivedBytes.length > 0) onClientFrames(receivedBytes)
  })
}

function answerStartup(socket: Socket, startup: Buffer): void {
  const fields = startup.subarray(8).toString().split('\0')
  const names = fields.filter((field, index) => index % 2 === 0 && field !== '')
  const unknown = names.find((name) => !allowedParameters.has(name.toLowerCase()))
  if (unknown) {
    const text = `SFATAL\0C08P01\0Munsupported startup parameter: ${unknown}\0\0`
    return void socket.end(toFrame(messageTypes.error, Buffer.from(text)))
  }
  const key = Buffer.alloc(8)
  key.writeInt32BE(randomInt(1_000_000_000, 2_000_000_000))
  const authenticated = toFrame(messageTypes.authentication, Buffer.alloc(4))
  const idle = toFrame(messageTypes.readyForQuery, Buffer.from('I'))
  socket.write(Buffer.concat([authenticated, toFrame(messageTypes.backendKey, key), idle]))
}

function toFrame(type: string, body: Buffer): Buffer {
  const head = Buffer.alloc(5)
  head.write(type)
  head.writeInt32BE(body.length + 4, 1)
  return Buffer.concat([head, body])
}

function splitFrames(onFrame: (type: string, frame: Buffer) => void): (bytes: Buffer) => void {
  let pending = Buffer.alloc(0)
  return (bytes) => {
    pending = Buffer.concat([pending, bytes])
    while (pending.length >= 5 && pending.length > pending.readInt32BE(1)) {
      const frame = pending.subarray(0, pending.readInt32BE(1) + 1)
      pending = pending.subarray(frame.length)
      onFrame(String.fromCharCode(frame[0]!), frame)
    }
  }
}
