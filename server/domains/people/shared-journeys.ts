import type { Person } from '#server/accounts/person.ts'
import type { Services } from '#server/services.ts'
import { journeysOfKeepersToRead, loneJourneysToRead } from '../readable-shares.ts'

export interface SharedThere {
  id: string
  domain_id: string
  title: string
  owner_id: string
}

const columns = ['journeys.id', 'share.domain_id', 'journeys.title', 'journeys.owner_id'] as const

/** Journeys shared in these domains, directly or with their keeper, as far as the caller can read them. */
export async function sharedJourneys(
  services: Services,
  person: Pick<Person, 'id'>,
  domainIds: readonly string[],
): Promise<SharedThere[]> {
  if (domainIds.length === 0) return []
  const alone = loneJourneysToRead(services, person, domainIds).select(columns)
  const withKeeper = journeysOfKeepersToRead(services, person, domainIds).select(columns)
  return services.db
    .selectFrom(alone.union(withKeeper).as('given'))
    .selectAll()
    .orderBy('title')
    .orderBy('id')
    .execute()
}
