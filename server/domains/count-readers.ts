import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { MemberRole } from '#contract/domains/domains.ts'

export const selectReaderCount = (roleConditions: Record<MemberRole, RawBuilder<SqlBool>>) => sql<number>`(
  select count(*)
  from domains
  join people on people.id = domains.owner_id
  where domains.id = share.domain_id
    and people.id <> share.owner_id
    and people.deactivated_at is null
) + (
  select count(*)
  from domain_members as reading
  join domains on domains.id = reading.domain_id
  join people on people.id = reading.person_id
  where reading.domain_id = share.domain_id
    and reading.person_id <> share.owner_id
    and reading.person_id <> domains.owner_id
    and people.deactivated_at is null
    and (
      (reading.role = 'admin' and ${roleConditions.admin})
      or (reading.role = 'user' and ${roleConditions.user})
      or (reading.role = 'friend' and ${roleConditions.friend})
      or (reading.role = 'connection' and ${roleConditions.connection})
    )
)`
