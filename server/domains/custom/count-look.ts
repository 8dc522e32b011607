import { Problem } from '#server/http/problem.ts'
import { countTry, type Throttle } from '#server/http/throttle.ts'
import type { Services } from '#server/services.ts'

const looks = { kind: 'custom-domain-look', limit: 30, windowMs: 60_000 }
const deeds = { ...looks, kind: 'custom-domain-deed' }

/** Every look asks name servers or the provider, whose patience all domains here share. @throws Problem 429 */
export async function countLook(services: Services, domainId: string): Promise<void> {
  await count(services, looks, domainId)
}

/** To add and to verify ask them, too, and are counted apart: pages look by themselves, and must not use these up. @throws Problem 429 */
export async function countDeed(services: Services, domainId: string): Promise<void> {
  await count(services, deeds, domainId)
}

async function count(services: Services, throttle: Throttle, domainId: string): Promise<void> {
  const { within, waitSeconds } = await countTry(services, throttle, domainId)
  if (!within) throw new Problem('too-many', { retryAfterSeconds: waitSeconds })
}
