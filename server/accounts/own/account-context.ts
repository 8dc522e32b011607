import { sql } from 'kysely'
import type { DomainRow } from '#server/domains/domain-access.ts'
import type { Services } from '#server/services.ts'

export interface AccountContext {
  domains: DomainRow[]
  domainMates: { personId: string; domainId: string }[]
  agentIds: Set<string>
  agentUsers: string[]
  importIds: string[]
  mediaHashes: string[]
}

export async function readAccountContext({ db }: Services, personId: string): Promise<AccountContext> {
  const domains = await db.selectFrom('domains').selectAll().where('owner_id', '=', personId).execute()
  const domainIds = db
    .selectFrom('domains')
    .select('id')
    .where('owner_id', '=', personId)
    .union(db.selectFrom('domain_members').select('domain_id as id').where('person_id', '=', personId))
  const mates = await db
    .selectFrom('domain_members')
    .select(['person_id as personId', 'domain_id as domainId'])
    .where('domain_id', 'in', domainIds)
    .union(db.selectFrom('domains').select(['owner_id as personId', 'id as domainId']).where('id', 'in', domainIds))
    .execute()
  const agents = await db.selectFrom('agents').select('id').where('owner_id', '=', personId).execute()
  const users = await db
    .selectFrom('agent_grants')
    .select('person_id')
    .distinct()
    .where('agent_id', 'in', db.selectFrom('agents').select('id').where('owner_id', '=', personId))
    .execute()
  const imports = await db.selectFrom('import_jobs').select('id').where('owner_id', '=', personId).execute()
  const ownMedia = sql`person_id = ${personId}
      or keeper_id in (select id from keepers where owner_id = ${personId})
      or run_id in (select id from runs where agent_id in (select id from agents where owner_id = ${personId}))`
  const ownPictures = sql`person_id = ${personId} or board_id in (select id from boards where owner_id = ${personId})`
  const media = await db.longRead<{ sha256: string }>(sql`select distinct sha256 from media where ${ownMedia}
    union select sha256 from board_pictures where ${ownPictures}
    union select small_sha256 from media where small_sha256 is not null and (${ownMedia})
    union select small_sha256 from board_pictures where small_sha256 is not null and (${ownPictures})`)
  return {
    domains,
    domainMates: mates.filter((mate) => mate.personId !== personId),
    agentIds: new Set(agents.map(({ id }) => id)),
    agentUsers: users.map(({ person_id }) => person_id).filter((id) => id !== personId),
    importIds: imports.map(({ id }) => id),
    mediaHashes: media.map(({ sha256 }) => sha256),
  }
}
