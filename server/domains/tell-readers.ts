import type { Services } from '#server/services.ts'
import { tellDomain } from './tell-domain.ts'

/**
 * Tells everybody to whom a keeper, or a journey, is open that it went into the bin or came back. As in
 * {@link tellDomain}, where nobody can be found out, nobody is told.
 */
export async function tellReaders(services: Services, entity: 'keeper' | 'journey', id: string): Promise<void> {
  const { db, log } = services
  const alone = db.selectFrom('domain_journeys').select('domain_id')
  const open =
    entity === 'journey'
      ? alone.where('journey_id', '=', id)
      : alone
          .where('journey_id', 'in', db.selectFrom('journeys').select('id').where('keeper_id', '=', id))
          .union(db.selectFrom('domain_keepers').select('domain_id').where('keeper_id', '=', id))
  const domains = await open
    .distinct()
    .execute()
    .catch((error: unknown) => {
      log.error({ err: error, [entity]: id }, 'who reads what went into the bin or came back could not be told')
      return []
    })
  for (const { domain_id } of domains) await tellDomain(services, domain_id)
}
