import type { Person } from '#server/accounts/person.ts'
import type { Services } from '#server/services.ts'
import { selectReadableIndividualJourneys, selectReadableKeeperJourneys } from '../readable-shares.ts'

export interface SharedJourney {
  id: string
  domain_id: string
  title: string
  owner_id: string
}

const columns = ['journeys.id', 'share.domain_id', 'journeys.title', 'journeys.owner_id'] as const

export async function listSharedJourneys(
  services: Services,
  person: Pick<Person, 'id'>,
  domainIds: readonly string[],
): Promise<SharedJourney[]> {
  if (domainIds.length === 0) return []
  const sharedIndividually = selectReadableIndividualJourneys(services, person, domainIds).select(columns)
  const sharedWithKeeper = selectReadableKeeperJourneys(services, person, domainIds).select(columns)
  return services.db
    .selectFrom(sharedIndividually.union(sharedWithKeeper).as('shared'))
    .selectAll()
    .orderBy('title')
    .orderBy('id')
    .execute()
}
