import { AsyncLocalStorage } from 'node:async_hooks'
import { subscribe } from 'node:diagnostics_channel'
import type { Exchange } from './exchange.ts'

const exchanges = new AsyncLocalStorage<Exchange>()
const underWay = new WeakMap<object, Exchange>()

// `fetch` does not tell when the connection stands. Node's own HTTP client publishes it: a request is created before
// its socket is looked for, and its headers are sent once the socket (TLS included) is there.
subscribe('undici:request:create', (message) => {
  const exchange = exchanges.getStore()
  if (!exchange) return
  underWay.set((message as { request: object }).request, exchange)
  exchange.connecting()
})
subscribe('undici:client:sendHeaders', (message) => {
  underWay.get((message as { request: object }).request)?.connected()
})

/** Calls `send` so that the exchange learns when its request starts to connect and when the connection stands. */
export function watchConnection<T>(exchange: Exchange, send: () => Promise<T>): Promise<T> {
  return exchanges.run(exchange, send)
}
