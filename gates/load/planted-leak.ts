import { openSync } from 'node:fs'
import { Server } from 'node:http'

// Loaded before the server by `--import`: the control of soak.ts. Keeps a few KB of every request for ever, and with every
// two hundredth an open file and a timer.

const kept: string[] = []
const emit = Server.prototype.emit
Server.prototype.emit = function (this: Server, event: string | symbol, ...given: unknown[]) {
  if (event === 'request') {
    kept.push(`${kept.length} ${Math.random()} `.repeat(200).split('').join(''))
    if (kept.length % 200 === 0) {
      openSync('/dev/null', 'r')
      setInterval(() => undefined, 1_000_000)
    }
  }
  return Reflect.apply(emit, this, [event, ...given])
} as typeof emit
