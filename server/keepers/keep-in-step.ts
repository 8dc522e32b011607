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
    // What fails in one holds up no other.
    for (const step of [sweepEchoes, closeAbandonedTranscriptions, sweepImports])
      await step(services).catch((error: unknown) =>
        services.log.error({ err: error, sweep: step.name }, 'keepers could not be swept'),
      )
    busy = false
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
