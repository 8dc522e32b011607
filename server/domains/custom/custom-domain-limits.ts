import { Problem } from '#server/http/problem.ts'
import { countAttempts, type Throttle } from '#server/http/throttle.ts'
import type { Services } from '#server/services.ts'

const checkThrottle = { kind: 'custom-domain-look', limit: 30, windowMs: 60_000 }
const actionThrottle = { ...checkThrottle, kind: 'custom-domain-deed' }

/** Status checks query name servers or the provider, whose limits all domains share. @throws Problem 429 */
export async function countStatusCheck(services: Services, domainId: string): Promise<void> {
  await countAttempt(services, checkThrottle, domainId)
}

/** Counted separately, so that pages polling the status don't use up adding and verifying. @throws Problem 429 */
export async function enforceActionLimit(services: Services, domainId: string): Promise<void> {
  await countAttempt(services, actionThrottle, domainId)
}

async function countAttempt(services: Services, throttle: Throttle, domainId: string): Promise<void> {
  const { isWithinLimit, waitSeconds } = await countAttempts(services, throttle, domainId)
  if (!isWithinLimit) throw new Problem('too-many', { retryAfterSeconds: waitSeconds })
}
