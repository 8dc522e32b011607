import { openSync } from 'node:fs'
import { Server } from 'node:http'

// Preloaded with `--import`: the control of soak.ts. Leaks a few KB per request, and an open file and a timer every 200 requests.

const leaked: string[] = []
const emit = Server.prototype.emit
Server.prototype.emit = function (this: Server, event: string | symbol, ...eventArguments: unknown[]) {
  if (event === 'request') {
    leaked.push(`${leaked.length} ${Math.random()} `.repeat(200).split('').join(''))
    if (leaked.length % 200 === 0) {
      openSync('/dev/null', 'r')
      setInterval(() => undefined, 1_000_000)
    }
  }
  return Reflect.apply(emit, this, [event, ...eventArguments])
} as typeof emit
