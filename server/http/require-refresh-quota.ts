import type { Services } from '#server/services.ts'
import { Problem } from './problem.ts'
import { countAttempts } from './throttle.ts'

const limit = 6
const windowMs = 60_000

/** Limits how often a person bypasses the cache of provider lists. @throws Problem `too-many` */
export async function requireRefreshQuota(services: Services, person: { id: string }, kind: string): Promise<void> {
  const { isWithinLimit, waitSeconds } = await countAttempts(services, { kind, limit, windowMs }, person.id)
  if (isWithinLimit) return
  throw new Problem('too-many', {
    message: 'The lists were refreshed too often. They’re cached for an hour; wait a minute to refresh again.',
    retryAfterSeconds: waitSeconds,
  })
}
