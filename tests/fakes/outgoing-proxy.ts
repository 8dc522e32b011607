import { fork } from 'node:child_process'
import { createServer, type IncomingMessage, request } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { fileURLToPath } from 'node:url'
import { isMain } from '#server/start/require-node.ts'

/** Maps a `host:port` that nothing else can resolve to a local `host:port`. */
type HostTargets = Record<string, string>

export interface OutgoingProxyFake {
  url: string
  /** Requests received, such as `CONNECT models.example:443`. */
  requests(): Promise<string[]>
  close(): void
}

/** An HTTP proxy in its own process. With `password`, clients must authenticate as `keeper:<password>`. */
export async function startOutgoingProxy(names: HostTargets, { password }: { password?: string } = {}) {
  const child = fork(fileURLToPath(import.meta.url), [JSON.stringify(names), password ?? ''])
  const receiveMessage = () =>
    new Promise<never>((resolve) => child.once('message', (message) => resolve(message as never)))
  const port: number = await receiveMessage()
  const fake: OutgoingProxyFake = {
    url: `http://${password ? `keeper:${password}@` : ''}127.0.0.1:${port}`,
    requests() {
      const requests = receiveMessage()
      child.send('requests')
      return requests
    },
    close: () => void child.kill(),
  }
  return fake
}

function serve(names: HostTargets, password: string): void {
  const requests: string[] = []
  const expectedAuthorization = `Basic ${Buffer.from(`keeper:${password}`).toString('base64')}`
  /** The local target, or the status of a refusal. */
  const resolveTarget = ({ method, headers }: IncomingMessage, target: string) => {
    requests.push(`${method} ${target}`)
    if (password && headers['proxy-authorization'] !== expectedAuthorization) return 407
    return names[target] ?? 502
  }
  const server = createServer((incoming, response) => {
    const { host, port, pathname } = new URL(incoming.url ?? '')
    const resolved = resolveTarget(incoming, port ? host : `${host}:80`)
    if (typeof resolved === 'number') return void response.writeHead(resolved).end()
    const options = { method: incoming.method, headers: incoming.headers }
    const outgoing = request(`http://${resolved}${pathname}`, options, (targetResponse) => {
      response.writeHead(targetResponse.statusCode ?? 502, targetResponse.headers)
      targetResponse.pipe(response)
    })
    incoming.pipe(outgoing)
  })
  server.on('connect', (incoming, client: Socket) => {
    const resolved = resolveTarget(incoming, incoming.url ?? '')
    client.on('error', () => undefined)
    if (typeof resolved === 'number') return void client.end(`HTTP/1.1 ${resolved} refused\r\n\r\n`)
    const [host, port] = resolved.split(':')
    const target = connect(Number(port), host, () => client.write('HTTP/1.1 200 Connection established\r\n\r\n'))
    target.on('error', () => client.destroy())
    client.pipe(target).pipe(client)
  })
  process.on('message', () => process.send?.(requests))
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
}

if (process.send && isMain(import.meta)) {
  const [names = '{}', password = ''] = process.argv.slice(2)
  serve(JSON.parse(names), password)
}
