import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { eventually } from '#tests/eventually.ts'
import { limitUnsentBytes } from './http-server.ts'
import { InFlightRequests } from './in-flight-requests.ts'

/** More than the system buffers for a client that reads nothing. */
const answer = Buffer.alloc(32 * 1024 * 1024, 1)
const mebibyte = 1024 * 1024
let server: Server
let requests: InFlightRequests
let clients: Socket[]
let stop: (() => void) | undefined

beforeEach(async () => {
  clients = []
  server = createServer((_, response) => response.end(answer))
  requests = new InFlightRequests(server)
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
})
afterEach(() => {
  stop?.()
  for (const client of clients) client.destroy()
  server.closeAllConnections()
  server.close()
})

/** A client that sends a request and reads nothing yet. */
function sendRequest(localAddress: string): Socket & { receivedBytes: number } {
  const { port } = server.address() as AddressInfo
  const socket = Object.assign(connect({ port, host: '127.0.0.1', localAddress }), { receivedBytes: 0 })
  socket.on('error', () => undefined)
  socket.pause()
  socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n')
  clients.push(socket)
  return socket
}
function readAll(client: Socket & { receivedBytes: number }): void {
  client.on('data', (bytes: Buffer) => {
    client.receivedBytes += bytes.length
  })
  client.resume()
}
const listConnections = () => [...requests.connections]
const countUnreadBytes = () =>
  listConnections().reduce((totalBytes, { writableLength }) => totalBytes + writableLength, 0)

it("unread responses stay below the limit, at the greediest address's expense", async () => {
  const honest = sendRequest('127.0.0.9')
  for (let number = 0; number < 5; number++) sendRequest('127.0.0.7')
  await eventually(() => expect(listConnections().filter(({ writableLength }) => writableLength > 0)).toHaveLength(6))
  expect(countUnreadBytes()).toBeGreaterThan(100 * mebibyte)
  stop = limitUnsentBytes(requests.connections, { maxBytes: 80 * mebibyte, intervalMs: 20 })
  await eventually(() => expect(countUnreadBytes()).toBeLessThan(80 * mebibyte))
  expect(listConnections().filter(({ remoteAddress }) => remoteAddress === '127.0.0.7').length).toBeLessThan(5)
  readAll(honest)
  await eventually(() => expect(honest.receivedBytes).toBeGreaterThan(answer.length))
})

it('below the limit a client can take its time', async () => {
  stop = limitUnsentBytes(requests.connections, { maxBytes: 80 * mebibyte, intervalMs: 20 })
  const slowClients = [sendRequest('127.0.0.7'), sendRequest('127.0.0.9')]
  await eventually(() => expect(listConnections().filter(({ writableLength }) => writableLength > 0)).toHaveLength(2))
  await new Promise((resolve) => setTimeout(resolve, 200))
  for (const client of slowClients) readAll(client)
  await eventually(() => {
    for (const { receivedBytes } of slowClients) expect(receivedBytes).toBeGreaterThan(answer.length)
  })
})
