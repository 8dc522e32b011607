import { type SqlBool, sql } from 'kysely'
import type { Person } from '#server/accounts/person.ts'
import type { Services } from '#server/services.ts'

type ShareReader = Pick<Person, 'id'>
type OneOrMore = string | readonly string[]

/** SQL condition to read the row `share`: an active sharer, and the reader is sharer, domain owner or has an eligible role. */
const whereReadable = (reader: ShareReader) => sql<SqlBool>`exists (
  select 1
  from domains
  join people as giver on giver.id = share.owner_id and giver.deactivated_at is null
  left join domain_members as giving on giving.domain_id = domains.id and giving.person_id = share.owner_id
  left join domain_members as reading on reading.domain_id = domains.id and reading.person_id = ${reader.id}
  where domains.id = share.domain_id
    and (domains.owner_id = share.owner_id or giving.person_id is not null)
    and (
      share.owner_id = ${reader.id}
      or domains.owner_id = ${reader.id}
      or (reading.role = 'admin' and share.for_admin)
      or (reading.role = 'user' and share.for_user)
      or (reading.role = 'friend' and share.for_friend)
      or (reading.role = 'connection' and share.for_connection)
    )
)`

export function selectReadableKeepers({ db }: Services, reader: ShareReader, domainIds: OneOrMore) {
  return db
    .selectFrom('domain_keepers as share')
    .innerJoin('keepers', 'keepers.id', 'share.keeper_id')
    .whereRef('keepers.owner_id', '=', 'share.owner_id')
    .where('keepers.deleted_at', 'is', null)
    .where('share.domain_id', 'in', [domainIds].flat())
    .where(whereReadable(reader))
}

export function selectReadableIndividualJourneys({ db }: Services, reader: ShareReader, domainIds: OneOrMore) {
  return db
    .selectFrom('domain_journeys as share')
    .innerJoin('journeys', 'journeys.id', 'share.journey_id')
    .innerJoin('keepers', 'keepers.id', 'journeys.keeper_id')
    .whereRef('keepers.owner_id', '=', 'share.owner_id')
    .where('journeys.deleted_at', 'is', null)
    .where('keepers.deleted_at', 'is', null)
    .where('share.domain_id', 'in', [domainIds].flat())
    .where(whereReadable(reader))
}

export function selectReadableKeeperJourneys(services: Services, reader: ShareReader, domainIds: OneOrMore) {
  return selectReadableKeepers(services, reader, domainIds)
    .innerJoin('journeys', 'journeys.keeper_id', 'keepers.id')
    .where('share.with_journeys', '=', true)
    .where('journeys.deleted_at', 'is', null)
}
