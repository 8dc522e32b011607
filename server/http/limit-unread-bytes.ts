import type { Socket } from 'node:net'
import { networkOf } from './client-address.ts'

/** Bytes of answers that wait in this process for their clients to read them, of all connections together. */
const maxUnreadBytes = 256 * 1024 * 1024
const checkEveryMs = 1000

/**
 * Ends connections while answers that nobody reads take more memory than `maxBytes`: the largest of the address that leaves
 * the most unread. Looked at now and then, so that no request pays for it. Returns the function that stops it.
 */
export function limitUnreadBytes(
  connections: Iterable<Socket>,
  { maxBytes = maxUnreadBytes, everyMs = checkEveryMs } = {},
): () => void {
  const check = setInterval(() => {
    let total = 0
    for (const { writableLength } of connections) total += writableLength
    if (total > maxBytes) endGreediest(connections, total - maxBytes)
  }, everyMs)
  check.unref()
  return () => clearInterval(check)
}

/** Until `excess` bytes are freed. */
function endGreediest(connections: Iterable<Socket>, excess: number): void {
  const byAddress = Map.groupBy(connections, ({ remoteAddress }) => networkOf(remoteAddress ?? ''))
  const unreadOf = (sockets: Socket[]) => sockets.reduce((sum, { writableLength }) => sum + writableLength, 0)
  const greediestFirst = [...byAddress.values()].toSorted((one, other) => unreadOf(other) - unreadOf(one))
  let freed = 0
  for (const sockets of greediestFirst) {
    for (const socket of sockets.toSorted((one, other) => other.writableLength - one.writableLength)) {
      if (freed >= excess) return
      freed += socket.writableLength
      socket.destroy()
    }
  }
}
