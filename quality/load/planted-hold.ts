import { Server } from 'node:http'

// Preloaded with `--import`: the control of hostile-load.ts. Simulates password hashing on the main thread.

const hashMs = 9
const emit = Server.prototype.emit
Server.prototype.emit = function (this: Server, event: string | symbol, ...eventArguments: unknown[]) {
  const request = eventArguments[0] as { url?: string }
  const until = performance.now() + (event === 'request' && request.url === '/api/kam/auth/login' ? hashMs : 0)
  while (performance.now() < until);
  return Reflect.apply(emit, this, [event, ...eventArguments])
} as typeof emit
