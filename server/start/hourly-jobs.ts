import { sweepBoards } from '#server/boards/board-trash.ts'
import { sweepAccounts } from '../accounts/own/delete-accounts.ts'
import { sweepUsedChallenges } from '../accounts/passkeys/challenges.ts'
import { sweepPendingSignIns } from '../accounts/second-factor/pending-sign-in.ts'
import { sweepRememberedDevices } from '../accounts/second-factor/remembered-devices.ts'
import { sweepSessions } from '../accounts/sessions.ts'
import { sweepVisitors } from '../agents/chat/sweep-visitors.ts'
import { closeAbandonedGoldenRuns } from '../agents/golden/execute-golden-run.ts'
import { sweepReservedSlugs } from '../agents/slugs.ts'
import { sweepSpendWindows } from '../agents/usage/spend-windows.ts'
import { sweepConnections } from '../connections/oauth/tokens.ts'
import { sweepAnsweredCreates } from '../http/idempotency.ts'
import { sweepThrottle } from '../http/throttle.ts'
import { purgeTrash } from '../keepers/entries/purge-trash.ts'
import { resumeEmbedding } from '../keepers/memory-cards/embedding-job.ts'
import { sweepMedia } from '../media/sweep-media.ts'
import type { Services } from '../services.ts'
import { sweepThemes } from '../themes/theme-catalog.ts'
import { hourMs } from '../values/time-units.ts'

export function startHourlyJobs(services: Services): () => void {
  const timer = setInterval(() => {
    for (const [name, job] of Object.entries(hourlyJobs))
      job(services).catch((error: unknown) => services.log.error({ err: error, sweep: name }, 'a sweep failed'))
  }, hourMs)
  timer.unref()
  return () => clearInterval(timer)
}

const hourlyJobs: Record<string, (services: Services) => Promise<unknown>> = {
  sweepThrottle,
  sweepSessions,
  sweepConnections,
  sweepUsedChallenges,
  sweepPendingSignIns,
  sweepRememberedDevices,
  sweepAnsweredCreates,
  sweepSpendWindows,
  sweepReservedSlugs,
  sweepVisitors,
  closeAbandonedGoldenRuns,
  resumeEmbedding,
  purgeTrash,
  sweepBoards,
  sweepThemes,
  sweepMedia,
  sweepAccounts,
}
