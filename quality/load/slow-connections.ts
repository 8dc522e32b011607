import { connect, type Socket } from 'node:net'

export interface SlowConnections {
  getClosedCount(): number
  getOpenCount(): number
  close(): void
}

type Kind = 'headers' | 'body' | 'reader'

/** Slowloris connections: endless headers, bodies of one byte per second, and unread responses. Closed ones reconnect. */
export function openSlowConnections(port: number, count: number, token: string, path: string): SlowConnections {
  const sockets = new Set<Socket>()
  let closedCount = 0
  let isClosed = false
  const formatHead = (method: string, target: string) => `${method} ${target} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n`
  const openConnection = (kind: Kind, address: string) => {
    if (isClosed) return
    const socket = connect({ port, host: '127.0.0.1' })
    sockets.add(socket)
    const forwarded = `X-Forwarded-For: ${address}\r\n`
    socket.on('error', () => undefined)
    let dripTimer: NodeJS.Timeout | undefined
    socket.once('connect', () => {
      if (kind === 'headers') socket.write(formatHead('GET', '/api/kip/agents') + forwarded)
      if (kind === 'body')
        socket.write(
          `${formatHead('POST', '/api/kam/auth/login')}${forwarded}Content-Type: application/json\r\nContent-Length: 5000\r\n\r\n{`,
        )
      if (kind === 'reader') {
        socket.pause()
        socket.write(`${formatHead('GET', path)}${forwarded}Authorization: Bearer ${token}\r\n\r\n`.repeat(20))
      }
      if (kind !== 'reader') dripTimer = setInterval(() => socket.write(kind === 'headers' ? 'X-A: b\r\n' : ' '), 1000)
    })
    if (kind !== 'reader') socket.resume()
    socket.once('close', () => {
      clearInterval(dripTimer)
      sockets.delete(socket)
      closedCount += 1
      if (!isClosed) setTimeout(() => openConnection(kind, address), 100)
    })
  }
  const kinds: Kind[] = ['headers', 'body', 'reader']
  for (let number = 0; number < count; number++)
    openConnection(kinds[number % kinds.length] ?? 'headers', `198.51.${Math.floor(number / 250)}.${number % 250}`)
  return {
    getClosedCount: () => closedCount,
    getOpenCount: () => sockets.size,
    close() {
      isClosed = true
      for (const socket of sockets) socket.destroy()
    },
  }
}
