import type { Path } from '#contract/keepers/journeys.ts'
import type { Person } from '#server/accounts/person.ts'
import type { Services } from '#server/services.ts'
import { requireEntryFor } from '../entries/require-entry.ts'
import { pathViews } from './journey-view.ts'
import { pathsOfJourney } from './require-path.ts'

export async function listPaths(services: Services, person: Person, journeyId: string): Promise<Path[]> {
  const journey = await requireEntryFor(services, person, 'journey', journeyId)
  return pathViews(services, await pathsOfJourney(services, journey.id))
}
