import { type ExpressionBuilder, sql } from 'kysely'
import type { Person } from '#server/accounts/person.ts'
import type { Schema } from '#server/db/schema.ts'
import { selectReadableIndividualJourneys, selectReadableKeepers } from '#server/domains/readable-shares.ts'
import type { Services } from '#server/services.ts'
import { queryJourneyMoments } from '../journeys/journey-view.ts'

/** Condition on `moments`: in a keeper shared with its moments, or on a journey shared by itself. */
export function createReadableMomentCondition(services: Services, reader: Pick<Person, 'id'>, domainId: string) {
  const keepers = selectReadableKeepers(services, reader, domainId)
    .where('share.with_moments', '=', true)
    .select('share.keeper_id')
  const journeys = selectReadableIndividualJourneys(services, reader, domainId).select('share.journey_id')
  const journeyMoments = services.db
    .selectFrom(queryJourneyMoments(services, sql<string>`${journeys}`).as('linked'))
    .select('linked.id')
  return (where: ExpressionBuilder<Schema, 'moments'>) =>
    where.and([
      where('moments.deleted_at', 'is', null),
      where.or([where('moments.keeper_id', 'in', keepers), where('moments.id', 'in', journeyMoments)]),
    ])
}
