import type { Services } from '#server/services.ts'
import { sweepEchoes } from './echoes/sweep-echoes.ts'
import { carryOutForOthers } from './transfer/carry-out-import.ts'
import { sweepImports } from './transfer/sweep-imports.ts'
import { closeAbandonedTranscriptions } from './voice/carry-out-transcription.ts'

const sweepMs = 60_000

/** Runs the keepers' periodic jobs now and every minute, and imports requested by other processes. Returns the function
 * that stops it and waits for the running job. */
export function keepKeepersInStep(services: Services): () => Promise<void> {
  const ended = new AbortController()
  let sweeping: Promise<void> | undefined
  const steps = {
    sweepEchoes: () => sweepEchoes(services, ended.signal),
    closeAbandonedTranscriptions: () => closeAbandonedTranscriptions(services),
    sweepImports: () => sweepImports(services),
  }
  const sweep = async () => {
    for (const [name, step] of Object.entries(steps)) {
      if (ended.signal.aborted) return
      // A failure must not stop the other jobs.
      await step().catch((error: unknown) => services.log.error({ err: error, sweep: name }, 'keeper job failed'))
    }
  }
  const sweepUnlessBusy = () => {
    sweeping ??= sweep().finally(() => {
      sweeping = undefined
    })
  }
  sweepUnlessBusy()
  const timer = setInterval(sweepUnlessBusy, sweepMs)
  timer.unref()
  const stopHearing = carryOutForOthers(services)
  return async () => {
    clearInterval(timer)
    stopHearing()
    ended.abort()
    await sweeping
  }
}
