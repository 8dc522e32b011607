import { Server } from 'node:http'

// Preloaded with `--import`: the control of hostile-load.ts. Simulates password hashing on the main thread.

const emit = Server.prototype.emit
Server.prototype.emit = function (this: Server, event: string | symbol, ...given: unknown[]) {
  const asked = given[0] as { url?: string }
  const until = performance.now() + (event === 'request' && asked.url === '/api/kam/auth/login' ? 9 : 0)
  while (performance.now() < until);
  return Reflect.apply(emit, this, [event, ...given])
} as typeof emit
