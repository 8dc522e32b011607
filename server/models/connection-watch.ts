import { AsyncLocalStorage } from 'node:async_hooks'
import { subscribe } from 'node:diagnostics_channel'
import type { Exchange } from './http-exchange.ts'

const exchanges = new AsyncLocalStorage<Exchange>()
const exchangesByRequest = new WeakMap<object, Exchange>()

// `fetch` hides when it connects; Node's client opens the socket after a request is created, and sends headers once it is ready.
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
