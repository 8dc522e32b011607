import type { Services } from '#server/services.ts'
import { sweepEchoes } from './echoes/sweep-echoes.ts'
import { carryOutForOthers } from './transfer/carry-out-import.ts'
import { sweepImports } from './transfer/sweep-imports.ts'
import { closeAbandonedTranscriptions } from './voice/carry-out-transcription.ts'

const sweepMs = 60_000

/**
 * Keeps keepers in step with the time, now and every minute: echoes whose day has come, their mails, transcriptions
 * nobody carries out any more. Returns the function that ends it.
 */
export function keepKeepersInStep(services: Services): () => void {
  let busy = false
  const sweep = async () => {
    if (busy) return
    busy = true
    try {
      await sweepEchoes(services)
      await closeAbandonedTranscriptions(services)
      await sweepImports(services)
    } catch (error) {
      services.log.error({ err: error }, 'keepers could not be swept')
    } finally {
      busy = false
    }
  }
  void sweep()
  const timer = setInterval(sweep, sweepMs)
  timer.unref()
  const stopHearing = carryOutForOthers(services)
  return () => {
    clearInterval(timer)
    stopHearing()
  }
}
