import { Server } from 'node:http'

// Preloaded with `--import`: the control of the load gates. Every 50th request blocks for 200 ms, and every 200th gets a 500.

let requestCount = 0
const emit = Server.prototype.emit
Server.prototype.emit = function (this: Server, event: string | symbol, ...eventArguments: unknown[]) {
  if (event === 'request') {
    requestCount += 1
    const until = performance.now() + (requestCount % 50 === 0 ? 200 : 0)
    while (performance.now() < until);
    if (requestCount % 200 === 0) {
      const answer = eventArguments[1] as { statusCode: number; end(text: string): void }
      answer.statusCode = 500
      answer.end('{"success":false}')
      return true
    }
  }
  return Reflect.apply(emit, this, [event, ...eventArguments])
} as typeof emit
