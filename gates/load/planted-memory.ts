import { IncomingMessage } from 'node:http'

// Preloaded with `--import`: the control of heap.ts. Keeps the headers and body of every request.

const kept: unknown[] = []
const push = IncomingMessage.prototype.push
IncomingMessage.prototype.push = function (this: IncomingMessage, chunk: unknown, ...rest: [BufferEncoding?]) {
  if (chunk) kept.push(String(chunk), { ...this.headers })
  return Reflect.apply(push, this, [chunk, ...rest])
} as typeof push
