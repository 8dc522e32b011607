import { ServerResponse } from 'node:http'

// Preloaded with `--import`: the control of streams.ts. Blocks for 120 ms twice per second and drops one of 2,000 chunks.

setInterval(() => {
  const until = performance.now() + 120
  while (performance.now() < until);
}, 500).unref()

let writeCount = 0
const write = ServerResponse.prototype.write
ServerResponse.prototype.write = function (this: ServerResponse, ...writeArguments: unknown[]) {
  writeCount += 1
  return writeCount % 2000 === 0 ? true : Reflect.apply(write, this, writeArguments)
} as typeof write
