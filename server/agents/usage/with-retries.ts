import { DatabaseBusy } from '#server/db/database-errors.ts'
import type { Services } from '#server/services.ts'

const retryDelaysMs = [100, 400, 1_000, 2_500]

/** Keeps paid results while the database is unavailable. An earlier attempt may have succeeded without a response. */
export async function withRetries<Answer>(
  { modelRuntime }: Pick<Services, 'modelRuntime'>,
  task: (previousAttempts: number) => Promise<Answer>,
): Promise<Answer> {
  for (let attempts = 0; ; attempts++) {
    try {
      return await task(attempts)
    } catch (error) {
      const waitMs = retryDelaysMs[attempts]
      if (waitMs === undefined || !(error instanceof DatabaseBusy)) throw error
      await modelRuntime.sleep(waitMs, new AbortController().signal)
    }
  }
}
