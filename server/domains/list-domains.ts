import { type SqlBool, sql } from 'kysely'
import type { DomainRole } from '#contract/domains/domain-actions.ts'
import type { Domain, ManagedDomain } from '#contract/domains/domains.ts'
import type { Person } from '#server/accounts/person.ts'
import { containsWord } from '#server/db/contains-word.ts'
import { badField } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { type DomainRow, selectWithMembership, toDomainAccess } from './domain-access.ts'

export async function listDomains(services: Services, person: Pick<Person, 'id'>): Promise<Domain[]> {
  const rows = await selectDomains(services, person).execute()
  return rows
    .map((row) => toDomainAccess(row, person))
    .map(({ domain, role, agreed }) => toDomain(domain, role, agreed))
    .sort((one, other) => Number(other.isPrimary) - Number(one.isPrimary))
}

/** Selects ids by index first; one `or` across the join would scan all domains. */
export function selectDomains({ db }: Pick<Services, 'db'>, person: Pick<Person, 'id'>) {
  const ids = db
    .selectFrom('domains')
    .select('id')
    .where('owner_id', '=', person.id)
    .union(db.selectFrom('domain_members').select('domain_id as id').where('person_id', '=', person.id))
  return selectWithMembership({ db }, person).where('domains.id', 'in', ids).orderBy('domains.name')
}

export function toDomain(row: DomainRow, role: DomainRole | null, agreed = true): Domain {
  return {
    id: row.id,
    name: row.name,
    slug: row.slug,
    description: row.description,
    ownerId: row.owner_id,
    isPrimary: row.is_primary && role === 'owner',
    customDomain: row.custom_domain,
    customDomainVerified: row.custom_domain_verified,
    permissions: role ? [{ role }] : [],
    agreed,
    leadAgentId: row.lead_agent_id,
    rev: row.rev,
  }
}

const maxDomains = 1000
const searchedColumns = [
  'domains.name',
  'domains.slug',
  'domains.description',
  'domains.custom_domain',
  'people.name',
  'people.email',
]

/** By name, for platform managers. The response is a bare list, so `after` is the id of its last item. */
export async function listAllDomains(
  services: Services,
  person: Person,
  { search = '', after }: { search?: string | undefined; after?: string | undefined } = {},
): Promise<ManagedDomain[]> {
  const last = after === undefined ? undefined : await requirePosition(services, after)
  const { engine } = services.db
  const matchingDomains = selectWithMembership(services, person)
    .innerJoin('people', 'people.id', 'domains.owner_id')
    .select(['people.name as owner_name', 'people.email as owner_email'])
    .select(({ selectFrom }) =>
      selectFrom('domain_members as member')
        .select(({ fn }) => fn.countAll<number | string>().as('count'))
        .whereRef('member.domain_id', '=', 'domains.id')
        .as('member_count'),
    )
    .$if(search !== '', (query) =>
      query.where(({ or }) => or(searchedColumns.map((column) => containsWord(engine, column, search)))),
    )
    .$if(last !== undefined, (query) =>
      query.where(sql<SqlBool>`(${normalizedName}, domains.id) > (${last?.normalizedName}, ${last?.id})`),
    )
    .orderBy(normalizedName)
    .orderBy('domains.id')
    .limit(maxDomains)
  const rows = await services.db.longRead(matchingDomains)
  return rows.map(({ owner_name, owner_email, member_count, ...row }) => {
    const { domain, role, agreed } = toDomainAccess(row, person)
    return {
      ...toDomain(domain, role, agreed),
      ownerName: owner_name,
      ownerEmail: owner_email,
      memberCount: Number(member_count ?? 0) + 1,
      createdAt: new Date(row.created_at).toISOString(),
    }
  })
}

const normalizedName = sql<string>`lower(${sql.ref('domains.name')})`

async function requirePosition({ db }: Services, id: string): Promise<{ id: string; normalizedName: string }> {
  const position = await db
    .selectFrom('domains')
    .select(['domains.id', normalizedName.as('normalizedName')])
    .where('domains.id', '=', id)
    .executeTakeFirst()
  if (!position) throw badField('after', 'This domain no longer exists. Reload the list.')
  return position
}
