import type { Services } from '#server/services.ts'
import { sweepEchoes } from './echoes/check-time-triggers.ts'
import { createSmallVersions } from './media/small-versions.ts'
import { acceptRemoteImports } from './transfer/execute-import.ts'
import { sweepImports } from './transfer/sweep-imports.ts'
import { closeAbandonedTranscriptions } from './voice/execute-transcription.ts'

const sweepIntervalMs = 60_000

/** Runs the jobs of keepers, and imports requested by other processes.
 * @returns a function that stops them and waits for the running job */
export function startKeeperJobs(services: Services): () => Promise<void> {
  const stopController = new AbortController()
  let currentRun: Promise<void> | undefined
  const jobs = {
    sweepEchoes: () => sweepEchoes(services, stopController.signal),
    closeAbandonedTranscriptions: () => closeAbandonedTranscriptions(services),
    sweepImports: () => sweepImports(services),
    createSmallVersions: () => createSmallVersions(services, stopController.signal),
  }
  const runJobs = async () => {
    for (const [name, job] of Object.entries(jobs)) {
      if (stopController.signal.aborted) return
      await job().catch((error: unknown) => services.log.error({ err: error, sweep: name }, 'keeper job failed'))
    }
  }
  const runJobsUnlessBusy = () => {
    currentRun ??= runJobs().finally(() => {
      currentRun = undefined
    })
  }
  runJobsUnlessBusy()
  const timer = setInterval(runJobsUnlessBusy, sweepIntervalMs)
  timer.unref()
  const stopRemoteImports = acceptRemoteImports(services)
  return async () => {
    clearInterval(timer)
    stopRemoteImports()
    stopController.abort()
    await currentRun
  }
}
