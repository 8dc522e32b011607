import type { Services } from '#server/services.ts'
import { checkTimeTriggers } from './check-time-triggers.ts'
import { emailReadyEchoes } from './email-echoes.ts'

export async function sweepEchoes(services: Services, signal?: AbortSignal): Promise<void> {
  await checkTimeTriggers(services, null)
  await emailReadyEchoes(services, signal)
}
