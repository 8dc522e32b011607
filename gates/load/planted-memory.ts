import { IncomingMessage } from 'node:http'

// Loaded before the server by `--import`: the control of heap.ts. Keeps the head and the body of every request.

const kept: unknown[] = []
const push = IncomingMessage.prototype.push
IncomingMessage.prototype.push = function (this: IncomingMessage, chunk: unknown, ...rest: [BufferEncoding?]) {
  if (chunk) kept.push(String(chunk), { ...this.headers })
  return Reflect.apply(push, this, [chunk, ...rest])
} as typeof push
