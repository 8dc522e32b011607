import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { MemberRole } from '#contract/domains/domains.ts'

/** How many others a row named `share` is open to now. @param isFor whether the row is for those who have a role */
export const countReaders = (isFor: Record<MemberRole, RawBuilder<SqlBool>>) => sql<number>`(
  select count(*)
  from people
  join domains on domains.id = share.domain_id
  left join domain_members as reading on reading.domain_id = domains.id and reading.person_id = people.id
  where people.id <> share.owner_id
    and people.deactivated_at is null
    and (
      people.id = domains.owner_id
      or (reading.role = 'admin' and ${isFor.admin})
      or (reading.role = 'user' and ${isFor.user})
      or (reading.role = 'friend' and ${isFor.friend})
      or (reading.role = 'connection' and ${isFor.connection})
    )
)`
