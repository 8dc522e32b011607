import type { Services } from '#server/services.ts'
import { mailReadyEchoes } from './mail-echoes.ts'
import { noticeTime } from './notice-time.ts'

/** Safe in concurrent processes, as each echo is claimed. */
export async function sweepEchoes(services: Services, signal?: AbortSignal): Promise<void> {
  await noticeTime(services, null)
  await mailReadyEchoes(services, signal)
}
