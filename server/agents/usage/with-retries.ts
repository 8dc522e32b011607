import { DatabaseBusy } from '#server/db/database-errors.ts'
import type { Services } from '#server/services.ts'

/** In milliseconds. */
const waitsForDatabase = [100, 400, 1_000, 2_500]

/**
 * What was paid for is not lost to a database that is away for a moment: the same is asked of it again, up to four times.
 * `ask` is told how often it was tried before; its answer may have been lost after it was carried out.
 */
export async function withRetries<Answer>(
  { modelRuntime }: Pick<Services, 'modelRuntime'>,
  ask: (triedBefore: number) => Promise<Answer>,
): Promise<Answer> {
  for (let tried = 0; ; tried++) {
    try {
      return await ask(tried)
    } catch (error) {
      const wait = waitsForDatabase[tried]
      if (wait === undefined || !(error instanceof DatabaseBusy)) throw error
      await modelRuntime.sleep(wait, new AbortController().signal)
    }
  }
}
