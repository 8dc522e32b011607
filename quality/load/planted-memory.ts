import { IncomingMessage } from 'node:http'

// Preloaded with `--import`: the control of heap.ts. Keeps the headers and body of every request.

const leaked: unknown[] = []
const push = IncomingMessage.prototype.push
IncomingMessage.prototype.push = function (this: IncomingMessage, chunk: unknown, ...encodings: [BufferEncoding?]) {
  if (chunk) leaked.push(String(chunk), { ...this.headers })
  return Reflect.apply(push, this, [chunk, ...encodings])
} as typeof push
