import type { Services } from '#server/services.ts'
import { mailReadyEchoes } from './mail-echoes.ts'
import { noticeTime } from './notice-time.ts'

/** Makes ready what time has made ready, and mails it. Two processes may do so at once: each echo is claimed. */
export async function sweepEchoes(services: Services, signal?: AbortSignal): Promise<void> {
  await noticeTime(services, null)
  await mailReadyEchoes(services, signal)
}
