import type { Services } from '#server/services.ts'
import { requireAttempt } from './throttle.ts'

const limit = 6
const windowMs = 60_000

/** Limits how often a person bypasses the cache of provider lists. @throws Problem `too-many` */
export async function requireRefreshQuota(services: Services, person: { id: string }, kind: string): Promise<void> {
  const message = 'The lists were refreshed too often. They’re cached for an hour; wait a minute to refresh again.'
  await requireAttempt(services, { kind, limit, windowMs }, person.id, message)
}
