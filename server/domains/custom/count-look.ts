import { Problem } from '#server/http/problem.ts'
import { countTry, type Throttle } from '#server/http/throttle.ts'
import type { Services } from '#server/services.ts'

const looks = { kind: 'custom-domain-look', limit: 30, windowMs: 60_000 }
const deeds = { ...looks, kind: 'custom-domain-deed' }

/** Status checks query name servers or the provider, whose limits all domains share. @throws Problem 429 */
export async function countLook(services: Services, domainId: string): Promise<void> {
  await count(services, looks, domainId)
}

/** Counted separately, so that pages polling the status don't use up adding and verifying. @throws Problem 429 */
export async function countDeed(services: Services, domainId: string): Promise<void> {
  await count(services, deeds, domainId)
}

async function count(services: Services, throttle: Throttle, domainId: string): Promise<void> {
  const { within, waitSeconds } = await countTry(services, throttle, domainId)
  if (!within) throw new Problem('too-many', { retryAfterSeconds: waitSeconds })
}
