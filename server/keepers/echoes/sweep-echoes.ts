import type { Services } from '#server/services.ts'
import { mailReadyEchoes } from './mail-echoes.ts'
import { noticeTime } from './notice-time.ts'

const sweepMs = 60_000

/** Makes ready what time has made ready, and mails it. Two processes may do so at once: each echo is claimed. */
export async function sweepEchoes(services: Services): Promise<void> {
  await noticeTime(services, null)
  await mailReadyEchoes(services)
}

/** Sweeps now and every minute. Returns the function that ends it. */
export function keepEchoesInStep(services: Services): () => void {
  let busy = false
  const sweep = async () => {
    if (busy) return
    busy = true
    try {
      await sweepEchoes(services)
    } catch (error) {
      services.log.error({ err: error }, 'echoes could not be swept')
    } finally {
      busy = false
    }
  }
  void sweep()
  const timer = setInterval(sweep, sweepMs)
  timer.unref()
  return () => clearInterval(timer)
}
