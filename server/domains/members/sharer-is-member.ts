import { type SqlBool, sql } from 'kysely'

export const sharerIsMember = sql<SqlBool>`(
  domains.owner_id = share.owner_id
  or exists (
    select 1 from domain_members as giving
    where giving.domain_id = share.domain_id and giving.person_id = share.owner_id
  )
)`
