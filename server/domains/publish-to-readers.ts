import type { Services } from '#server/services.ts'
import { publishDomainChanged } from './publish-domain-changed.ts'

export async function publishToReaders(services: Services, entity: 'keeper' | 'journey', id: string): Promise<void> {
  const { db, log } = services
  const sharedJourneys = db.selectFrom('domain_journeys').select('domain_id')
  const sharedDomains =
    entity === 'journey'
      ? sharedJourneys.where('journey_id', '=', id)
      : sharedJourneys
          .where('journey_id', 'in', db.selectFrom('journeys').select('id').where('keeper_id', '=', id))
          .union(db.selectFrom('domain_keepers').select('domain_id').where('keeper_id', '=', id))
  const domains = await sharedDomains
    .distinct()
    .execute()
    .catch((error: unknown) => {
      log.error({ err: error, [entity]: id }, 'the readers of a trashed or restored entity could not be notified')
      return []
    })
  for (const { domain_id } of domains) await publishDomainChanged(services, domain_id)
}
