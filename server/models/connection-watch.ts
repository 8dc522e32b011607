import { AsyncLocalStorage } from 'node:async_hooks'
import { subscribe } from 'node:diagnostics_channel'
import type { Exchange } from './http-exchange.ts'

const exchanges = new AsyncLocalStorage<Exchange>()
const exchangesByRequest = new WeakMap<object, Exchange>()

// `fetch` does not report when the connection is established. Node's HTTP client publishes it: a request is created
// before its socket is opened, and its headers are sent once the socket (TLS included) is ready.
subscribe('undici:request:create', (message) => {
  const exchange = exchanges.getStore()
  if (!exchange) return
  exchangesByRequest.set((message as { request: object }).request, exchange)
  exchange.connecting()
})
subscribe('undici:client:sendHeaders', (message) => {
  exchangesByRequest.get((message as { request: object }).request)?.connected()
})

export function watchConnection<T>(exchange: Exchange, send: () => Promise<T>): Promise<T> {
  return exchanges.run(exchange, send)
}
