import { Problem } from '#server/http/problem.ts'
import { countTry } from '#server/http/throttle.ts'
import type { Services } from '#server/services.ts'

const looks = { kind: 'custom-domain-look', limit: 30, windowMs: 60_000 }

/** Every look asks name servers or the provider, whose patience all domains here share. @throws Problem 429 */
export async function countLook(services: Services, domainId: string): Promise<void> {
  const { within, waitSeconds } = await countTry(services, looks, domainId)
  if (!within) throw new Problem('too-many', { retryAfterSeconds: waitSeconds })
}
