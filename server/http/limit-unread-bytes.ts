import type { Socket } from 'node:net'
import { getNetwork } from './client-address.ts'

const maxUnreadBytes = 256 * 1024 * 1024
const checkIntervalMs = 1000

export function limitUnreadBytes(
  connections: Iterable<Socket>,
  { maxBytes = maxUnreadBytes, everyMs = checkIntervalMs } = {},
): () => void {
  const check = setInterval(() => {
    let total = 0
    for (const { writableLength } of connections) total += writableLength
    if (total > maxBytes) closeGreediest(connections, total - maxBytes)
  }, everyMs)
  check.unref()
  return () => clearInterval(check)
}

function closeGreediest(connections: Iterable<Socket>, excess: number): void {
  const byAddress = Map.groupBy(connections, ({ remoteAddress }) => getNetwork(remoteAddress ?? ''))
  const sumUnread = (sockets: Socket[]) => sockets.reduce((total, { writableLength }) => total + writableLength, 0)
  const greediestFirst = [...byAddress.values()].toSorted((one, other) => sumUnread(other) - sumUnread(one))
  let freed = 0
  for (const sockets of greediestFirst) {
    for (const socket of sockets.toSorted((one, other) => other.writableLength - one.writableLength)) {
      if (freed >= excess) return
      freed += socket.writableLength
      socket.destroy()
    }
  }
}
