import type { Services } from '#server/services.ts'
import { sweepEchoes } from './echoes/sweep-echoes.ts'
import { carryOutForOthers } from './transfer/carry-out-import.ts'
import { sweepImports } from './transfer/sweep-imports.ts'
import { closeAbandonedTranscriptions } from './voice/carry-out-transcription.ts'

const sweepMs = 60_000

/**
 * Keeps keepers in step with the time, now and every minute: echoes whose day has come, their mails, transcriptions and
 * imports nobody carries out any more; imports that another process was asked for begin at once. Returns the function that
 * ends it: nothing new begins, and what is under way is waited for.
 */
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
      // What fails in one holds up no other.
      await step().catch((error: unknown) =>
        services.log.error({ err: error, sweep: name }, 'keepers could not be swept'),
      )
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
