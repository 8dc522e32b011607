import { AsyncLocalStorage } from 'node:async_hooks'
import { subscribe } from 'node:diagnostics_channel'
import type { Exchange } from './http-exchange.ts'

const currentExchange = new AsyncLocalStorage<Exchange>()
const exchangesByRequest = new WeakMap<object, Exchange>()

// `fetch` hides when it connects; Node's client opens the socket after a request is created, and sends headers once it is ready.
subscribe('undici:request:create', (message) => {
  const exchange = currentExchange.getStore()
  if (!exchange) return
  exchangesByRequest.set((message as { request: object }).request, exchange)
  exchange.startConnectTimer()
})
subscribe('undici:client:sendHeaders', (message) => {
  exchangesByRequest.get((message as { request: object }).request)?.stopConnectTimer()
})

export function watchConnection<T>(exchange: Exchange, send: () => Promise<T>): Promise<T> {
  return currentExchange.run(exchange, send)
}
