import { sql } from 'kysely'
import type { AuditAction, AuditEvent } from '#contract/administration/audit.ts'
import { canActInDomain, type DomainRole } from '#contract/domains/domain-actions.ts'
import type { DomainPeople, DomainPerson, peopleFilters } from '#contract/domains/people.ts'
import type { Person } from '#server/accounts/person.ts'
import { readAudit } from '#server/audit/read-audit.ts'
import type { Services } from '#server/services.ts'
import { type DomainAccess, type DomainRow, requireDomainAccess, toDomainAccess } from '../domain-access.ts'
import { selectDomains } from '../list-domains.ts'
import { selectReadableIndividualJourneys, selectReadableKeeperJourneys } from '../readable-shares.ts'

type VisibleDomain = Pick<DomainRow, 'id' | 'name' | 'owner_id' | 'created_at'> & Pick<DomainAccess, 'role'>

interface ListPeopleInput {
  domainId?: string | undefined
  status?: (typeof peopleFilters)[number] | undefined
}

/** @throws Problem 404 for an invisible domain */
export async function listPeople(
  services: Services,
  person: Pick<Person, 'id' | 'permissions'>,
  { domainId, status = 'all' }: ListPeopleInput,
): Promise<DomainPeople> {
  const domains =
    domainId === undefined
      ? await listVisibleDomains(services, person)
      : [toVisibleDomain(await requireDomainAccess(services, person, domainId, 'see'))]
  const [members, invitedRows, journeys] = await Promise.all([
    readMembers(services, domains),
    readOpenInvitations(services, domains),
    listSharedJourneys(
      services,
      person,
      domains.map(({ id }) => id),
    ),
  ])
  const memberViews = toMemberViews(person, domains, members, journeys)
  const everyone = [...memberViews, ...toInvitedViews(domains, invitedRows)]
  const total = countDistinct(everyone)
  const active = countDistinct(memberViews.filter((domainPerson) => domainPerson.status === 'active'))
  return {
    people: status === 'all' ? everyone : everyone.filter((domainPerson) => domainPerson.status === status),
    summary: {
      total,
      active,
      pending: total - active,
      domains: domains.length,
      journeys: new Set(journeys.map(({ id }) => id)).size,
    },
    journeys: journeys.map(({ id, domain_id, title, owner_id }) => ({
      id,
      domainId: domain_id,
      title,
      ownerId: owner_id,
    })),
  }
}

/** Counts by visible fields, so that the number doesn't reveal whose email someone has. */
function countDistinct(people: readonly DomainPerson[]): number {
  const identities = people.map(({ userId, email }) => ({ userId, email: email?.toLowerCase() }))
  const userIdByEmail = new Map(
    identities.flatMap(({ userId, email }) => (userId && email ? [[email, userId] as const] : [])),
  )
  return new Set(identities.map(({ userId, email = '' }) => userId ?? userIdByEmail.get(email) ?? email)).size
}

async function listVisibleDomains(services: Services, person: Pick<Person, 'id'>): Promise<VisibleDomain[]> {
  const rows = await selectDomains(services, person).orderBy('domains.id').execute()
  return rows.map((row) => toVisibleDomain(toDomainAccess(row, person)))
}

const toVisibleDomain = ({ domain, role }: DomainAccess): VisibleDomain => ({ ...domain, role })

type DomainMemberRow = Awaited<ReturnType<typeof readMembers>>[number]

async function readMembers({ db }: Services, domains: readonly VisibleDomain[]) {
  const ids = domains.map(({ id }) => id)
  if (ids.length === 0) return []
  const columns = [
    ...(['people.id as person_id', 'people.name', 'people.email', 'people.last_sign_in_at'] as const),
    db
      .selectFrom('sessions')
      .select(({ fn }) => fn.max('last_seen_at').as('at'))
      .where('person_id', '=', sql.ref<string>('people.id'))
      .as('last_seen_at'),
  ] as const
  const owners = db
    .selectFrom('domains')
    .innerJoin('people', 'people.id', 'domains.owner_id')
    .select((eb) => [
      'domains.id as domain_id',
      ...columns,
      eb.val<DomainRole>('owner').as('role'),
      'domains.created_at as added_at',
    ])
    .where('domains.id', 'in', ids)
  const members = db
    .selectFrom('domain_members')
    .innerJoin('people', 'people.id', 'domain_members.person_id')
    .select((eb) => [
      'domain_members.domain_id',
      ...columns,
      eb.ref('domain_members.role').$castTo<DomainRole>().as('role'),
      'domain_members.added_at',
      'domain_members.agreed_at',
      'domain_members.note',
      'domain_members.journey_ids',
    ])
    .where('domain_members.domain_id', 'in', ids)
  // `longRead`, because a domain of ten thousand members would block other requests.
  const [ownerRows, memberRows] = await Promise.all([owners.execute(), db.longRead(members)])
  const ownerByDomain = new Map(domains.map(({ id, owner_id }) => [id, owner_id]))
  return [
    ...ownerRows.map((row) => ({ ...row, agreed_at: row.added_at, note: '', journey_ids: [] as string[] })),
    ...memberRows.filter((row) => ownerByDomain.get(row.domain_id) !== row.person_id),
  ]
}

async function readOpenInvitations({ db, now }: Services, domains: readonly VisibleDomain[]) {
  const ids = domains.filter(({ role }) => canManage(role)).map(({ id }) => id)
  if (ids.length === 0) return []
  return db
    .selectFrom('invitations')
    .select(['id', 'domain_id', 'email', 'role', 'created_at', 'expires_at'])
    .where('domain_id', 'in', ids)
    .where('accepted_at', 'is', null)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now().getTime())
    .orderBy('email_folded')
    .execute()
}

function toMemberViews(
  person: Pick<Person, 'id'>,
  domains: readonly VisibleDomain[],
  members: readonly DomainMemberRow[],
  journeys: readonly SharedJourney[],
): DomainPerson[] {
  const domainById = new Map(domains.map((domain) => [domain.id, domain]))
  const journeysByDomain = Map.groupBy(journeys, ({ domain_id }) => domain_id)
  return members
    .flatMap((row) => {
      const domain = domainById.get(row.domain_id)
      if (!domain) return []
      const domainJourneys = journeysByDomain.get(domain.id) ?? []
      const assignedIds = new Set(row.journey_ids)
      const hasVisibleDetails = row.agreed_at !== null || row.person_id === person.id
      const mayChange = canManage(domain.role) && row.role !== 'owner' && row.person_id !== person.id
      return [
        {
          id: `${domain.id}.${row.person_id}`,
          domainId: domain.id,
          domainName: domain.name,
          userId: row.person_id,
          invitationId: null,
          name: row.name,
          email: hasVisibleDetails ? row.email : null,
          avatar: null,
          relation: row.role,
          status: row.agreed_at === null ? ('pending' as const) : ('active' as const),
          since: new Date(row.added_at).toISOString(),
          expiresAt: null,
          lastActiveAt: hasVisibleDetails
            ? toDay(Math.max(row.last_sign_in_at ?? 0, Number(row.last_seen_at ?? 0)))
            : null,
          journeyIds: domainJourneys
            .filter(({ id, owner_id }) => (hasVisibleDetails && owner_id === row.person_id) || assignedIds.has(id))
            .map(({ id }) => id),
          note: mayChange ? row.note : '',
          mayChange,
        },
      ]
    })
    .sort((one, other) => getVisibleName(one).localeCompare(getVisibleName(other), 'en'))
}

function toInvitedViews(
  domains: readonly VisibleDomain[],
  invitedRows: Awaited<ReturnType<typeof readOpenInvitations>>,
): DomainPerson[] {
  const names = new Map(domains.map(({ id, name }) => [id, name]))
  return invitedRows.map((row) => ({
    id: row.id,
    domainId: row.domain_id,
    domainName: names.get(row.domain_id) ?? '',
    userId: null,
    invitationId: row.id,
    name: null,
    email: row.email,
    avatar: null,
    relation: row.role,
    status: 'pending',
    since: new Date(row.created_at).toISOString(),
    expiresAt: new Date(row.expires_at).toISOString(),
    lastActiveAt: null,
    journeyIds: [],
    note: '',
    mayChange: false,
  }))
}

const getVisibleName = ({ name, email }: { name: string | null; email: string | null }) => name ?? email ?? ''

const canManage = (role: DomainRole | null) => canActInDomain(role, 'manageMembers')

/** Only the day; the hour of someone's activity is private. */
function toDay(milliseconds: number): string | null {
  return milliseconds > 0 ? new Date(milliseconds).toISOString().slice(0, 10) : null
}

export interface SharedJourney {
  id: string
  domain_id: string
  title: string
  owner_id: string
}

const sharedJourneyColumns = ['journeys.id', 'share.domain_id', 'journeys.title', 'journeys.owner_id'] as const

export async function listSharedJourneys(
  services: Services,
  person: Pick<Person, 'id'>,
  domainIds: readonly string[],
): Promise<SharedJourney[]> {
  if (domainIds.length === 0) return []
  const sharedIndividually = selectReadableIndividualJourneys(services, person, domainIds).select(sharedJourneyColumns)
  const sharedWithKeeper = selectReadableKeeperJourneys(services, person, domainIds).select(sharedJourneyColumns)
  return services.db
    .selectFrom(sharedIndividually.union(sharedWithKeeper).as('shared'))
    .selectAll()
    .orderBy('title')
    .orderBy('id')
    .execute()
}

/** Notes on people, and journeys that not every role can read, are visible to managers only. */
export const managersOnlyActions: readonly AuditAction[] = [
  'person-noted',
  'person-put-on-journey',
  'person-taken-off-journey',
]
const involvedOnlyActions: readonly AuditAction[] = [
  'keeper-shared',
  'keeper-unshared',
  'journey-shared',
  'journey-unshared',
  'board-shared',
  'board-unshared',
]

/** @throws Problem 404 for an invisible domain; 400 for an invalid cursor */
export async function listDomainActivity(
  services: Services,
  person: Pick<Person, 'id' | 'permissions'>,
  domainId: string,
  page: { cursor?: string | undefined; limit?: number | undefined },
): Promise<{ items: AuditEvent[]; next_cursor: string | null }> {
  const { role } = await requireDomainAccess(services, person, domainId, 'see')
  const except = { always: managersOnlyActions, unlessInvolved: involvedOnlyActions, userId: person.id }
  return readAudit(services, { domainId, except: canManage(role) ? undefined : except }, page)
}
