import type { Exchange } from './exchange.ts'
import { toNetworkFailure } from './translate-failure.ts'

const drainMs = 250

/**
 * The body of an answer, chunk by chunk, under the exchange's clocks and size limit. Ends early, with the failure
 * noted on the exchange, when the connection breaks or a limit is met. A body left before its end is given a moment
 * to finish, so that the connection can be used again, and is cancelled then.
 */
export async function* readBodyChunks(
  body: ReadableStream<Uint8Array>,
  exchange: Exchange,
): AsyncGenerator<Uint8Array> {
  const reader = body.getReader()
  const cancel = () => void reader.cancel().catch(() => undefined)
  exchange.signal.addEventListener('abort', cancel)
  let bytes = 0
  let done = false
  try {
    while (!exchange.failure) {
      const next = await exchange.waitFor(reader.read())
      done = next.done
      if (next.done) return
      bytes += next.value.byteLength
      if (bytes > exchange.limits.maxResponseBytes) return exchange.failAs('provider-protocol')
      yield next.value
    }
  } catch (error) {
    exchange.fail(toNetworkFailure(exchange.context, error))
  } finally {
    exchange.signal.removeEventListener('abort', cancel)
    if (!done) void drain(reader, exchange.failure ? 0 : drainMs)
  }
}

async function drain(reader: ReadableStreamDefaultReader<Uint8Array>, timeoutMs: number): Promise<void> {
  const timer = setTimeout(() => void reader.cancel().catch(() => undefined), timeoutMs)
  try {
    while (timeoutMs > 0 && !(await reader.read()).done);
  } catch {
    // The answer is complete, so a failure after it does not count.
  } finally {
    if (timeoutMs > 0) clearTimeout(timer)
  }
}
