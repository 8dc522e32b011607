import { DatabaseBusy } from '#server/db/database-errors.ts'
import type { Services } from '#server/services.ts'

const retryDelaysMs = [100, 400, 1_000, 2_500]

/** Keeps paid results while the database is unavailable. An earlier attempt may have succeeded without a response. */
export async function withRetries<Answer>(
  { modelRuntime }: Pick<Services, 'modelRuntime'>,
  task: (triedBefore: number) => Promise<Answer>,
): Promise<Answer> {
  for (let tried = 0; ; tried++) {
    try {
      return await task(tried)
    } catch (error) {
      const wait = retryDelaysMs[tried]
      if (wait === undefined || !(error instanceof DatabaseBusy)) throw error
      await modelRuntime.sleep(wait, new AbortController().signal)
    }
  }
}
