import { ServerResponse } from 'node:http'

// Loaded before the server by `--import`: the control of streams.ts. The event loop stands still for 120 ms twice a
// second, and of 2,000 chunks one is lost.

setInterval(() => {
  const until = performance.now() + 120
  while (performance.now() < until);
}, 500).unref()

let written = 0
const write = ServerResponse.prototype.write
ServerResponse.prototype.write = function (this: ServerResponse, ...given: unknown[]) {
  written += 1
  return written % 2000 === 0 ? true : Reflect.apply(write, this, given)
} as typeof write
