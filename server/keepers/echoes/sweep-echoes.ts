import type { Services } from '#server/services.ts'
import { checkTimeTriggers } from './check-time-triggers.ts'
import { emailReadyEchoes } from './email-echoes.ts'

/** Safe in concurrent processes, as each echo is claimed. */
export async function sweepEchoes(services: Services, signal?: AbortSignal): Promise<void> {
  await checkTimeTriggers(services, null)
  await emailReadyEchoes(services, signal)
}
