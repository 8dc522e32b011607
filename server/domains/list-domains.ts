import { type Expression, type SqlBool, sql } from 'kysely'
import type { DomainRole } from '#contract/domains/domain-actions.ts'
import type { Domain, ManagedDomain } from '#contract/domains/domains.ts'
import type { Person } from '#server/accounts/person.ts'
import { badField } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { type DomainRow, hasAgreed } from './domain-access.ts'

export async function listDomains(services: Services, person: Pick<Person, 'id'>): Promise<Domain[]> {
  const rows = await selectDomains(services, person).execute()
  return rows
    .map(({ role: memberRole, agreed_at, ...row }) => {
      const role = row.owner_id === person.id ? 'owner' : memberRole
      return toDomain(row, role, hasAgreed(role, agreed_at))
    })
    .sort((a, b) => Number(b.isPrimary) - Number(a.isPrimary))
}

/** Selects ids by index first; one `or` across the join would scan all domains. */
export function selectDomains({ db }: Pick<Services, 'db'>, person: Pick<Person, 'id'>) {
  const ids = db
    .selectFrom('domains')
    .select('id')
    .where('owner_id', '=', person.id)
    .union(db.selectFrom('domain_members').select('domain_id as id').where('person_id', '=', person.id))
  return db
    .selectFrom('domains')
    .leftJoin('domain_members', (join) =>
      join.onRef('domain_members.domain_id', '=', 'domains.id').on('domain_members.person_id', '=', person.id),
    )
    .selectAll('domains')
    .select(['domain_members.role', 'domain_members.agreed_at'])
    .where('domains.id', 'in', ids)
    .orderBy('domains.name')
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

/** By name, for platform managers. The response is a bare list, so `after` is the id of its last item. */
export async function listAllDomains(
  services: Services,
  person: Person,
  { search = '', after }: { search?: string | undefined; after?: string | undefined } = {},
): Promise<ManagedDomain[]> {
  const last = after === undefined ? undefined : await requirePosition(services, after)
  const matchingDomains = services.db
    .selectFrom('domains')
    .innerJoin('people', 'people.id', 'domains.owner_id')
    .leftJoin('domain_members', (join) =>
      join.onRef('domain_members.domain_id', '=', 'domains.id').on('domain_members.person_id', '=', person.id),
    )
    .selectAll('domains')
    .select(['people.name as owner_name', 'people.email as owner_email', 'domain_members.role'])
    .select('domain_members.agreed_at')
    .select(({ selectFrom }) =>
      selectFrom('domain_members as each')
        .select(({ fn }) => fn.countAll<number | string>().as('count'))
        .whereRef('each.domain_id', '=', 'domains.id')
        .as('members'),
    )
    .$if(search !== '', (query) =>
      query.where((where) =>
        where.or(
          [
            where.ref('domains.name'),
            where.ref('domains.slug'),
            where.ref('domains.description'),
            where.ref('domains.custom_domain'),
            where.ref('people.name'),
            where.ref('people.email'),
          ].flatMap((column) => listCaseVariants(search).map((spelling) => matchesText(column, spelling))),
        ),
      ),
    )
    .$if(last !== undefined, (query) =>
      query.where(sql<SqlBool>`(${normalizedName}, domains.id) > (${last?.normalizedName}, ${last?.id})`),
    )
    .orderBy(normalizedName)
    .orderBy('domains.id')
    .limit(maxDomains)
  const rows = await services.db.longRead(matchingDomains)
  return rows.map(({ owner_name, owner_email, role: memberRole, agreed_at, members, ...row }) => {
    const role = row.owner_id === person.id ? 'owner' : memberRole
    return {
      ...toDomain(row, role, hasAgreed(role, agreed_at)),
      ownerName: owner_name,
      ownerEmail: owner_email,
      memberCount: Number(members ?? 0) + 1,
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

/** Letter case beyond a-z is tried in variants, since neither database folds it in its default collation. */
function listCaseVariants(text: string): string[] {
  const lowerCase = text.toLowerCase()
  const capitalized = lowerCase.charAt(0).toUpperCase() + lowerCase.slice(1)
  return [
    ...new Set(
      [text, lowerCase, capitalized].map((spelling) =>
        spelling.replace(/[A-Z]/g, (character) => character.toLowerCase()),
      ),
    ),
  ]
}

function matchesText(column: Expression<string | null>, text: string) {
  return sql<SqlBool>`lower(${column}) like ${`%${text.replace(/[\\%_]/g, '\\$&')}%`} escape '\\'`
}
