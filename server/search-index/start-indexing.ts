import type { Services } from '#server/services.ts'
import { indexPending } from './index-pending.ts'

const checkMs = 2_000
/** Batches are short and followed by a pause, so that requests are handled in between. */
const sliceMs = 100
const pauseMs = 50

/** Indexes changes in the background. The returned function stops that and waits for the running batch. */
export function startIndexing(services: Services): () => Promise<void> {
  const stopping = new AbortController()
  let running = Promise.resolve()
  let timer: NodeJS.Timeout | undefined
  const schedule = (ms: number) => {
    if (stopping.signal.aborted) return
    timer = setTimeout(() => {
      running = indexSlice()
    }, ms)
    timer.unref()
  }
  async function indexSlice(): Promise<void> {
    try {
      const isDone = await indexPending(services, { budgetMs: sliceMs, signal: stopping.signal })
      schedule(isDone ? checkMs : pauseMs)
    } catch (error) {
      services.log.error({ err: error }, 'entries could not be indexed for search')
      schedule(checkMs)
    }
  }
  schedule(pauseMs)
  return async () => {
    clearTimeout(timer)
    stopping.abort()
    await running
  }
}
