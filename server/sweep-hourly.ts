import { sweepSessions } from './accounts/sessions.ts'
import { sweepVisitors } from './agents/chat/sweep-visitors.ts'
import { closeAbandonedGoldenRuns } from './agents/golden/carry-out-golden-run.ts'
import { sweepHeldSlugs } from './agents/slugs.ts'
import { sweepSpendWindows } from './agents/usage/spend-windows.ts'
import { sweepBoards } from './boards/sweep-boards.ts'
import { hourMs } from './hours-and-days.ts'
import { sweepAnsweredCreates } from './http/answer-once.ts'
import { sweepThrottle } from './http/throttle.ts'
import { purgeBin } from './keepers/entries/purge-bin.ts'
import { resumeEmbedding } from './keepers/memory-cards/embedding-job.ts'
import { sweepMedia } from './media/sweep-media.ts'
import { sweepAccounts } from './own-account/delete-accounts.ts'
import type { Services } from './services.ts'
import { sweepThemes } from './themes/theme-bin.ts'

/** Starts the platform's hourly cleanup and recovery jobs; returns a function that stops them. */
export function sweepHourly(services: Services): () => void {
  const sweep = setInterval(() => {
    for (const [name, job] of Object.entries(jobs))
      job(services).catch((error: unknown) => services.log.error({ err: error, sweep: name }, 'a sweep failed'))
  }, hourMs)
  sweep.unref()
  return () => clearInterval(sweep)
}

const jobs: Record<string, (services: Services) => Promise<unknown>> = {
  sweepThrottle,
  sweepSessions,
  sweepAnsweredCreates,
  sweepSpendWindows,
  sweepHeldSlugs,
  sweepVisitors,
  closeAbandonedGoldenRuns,
  resumeEmbedding,
  purgeBin,
  sweepBoards,
  sweepThemes,
  sweepMedia,
  sweepAccounts,
}
