import { Server } from 'node:http'

// Loaded before the server by `--import`: the control of the gates of load. One request in fifty holds the event loop
// for 200 ms, as a scan on the thread that answers would, and one in two hundred is answered with 500.

let asked = 0
const emit = Server.prototype.emit
Server.prototype.emit = function (this: Server, event: string | symbol, ...given: unknown[]) {
  if (event === 'request') {
    asked += 1
    const until = performance.now() + (asked % 50 === 0 ? 200 : 0)
    while (performance.now() < until);
    if (asked % 200 === 0) {
      const answer = given[1] as { statusCode: number; end(text: string): void }
      answer.statusCode = 500
      answer.end('{"success":false}')
      return true
    }
  }
  return Reflect.apply(emit, this, [event, ...given])
} as typeof emit
