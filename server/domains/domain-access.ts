import type { Selectable } from 'kysely'
import { canActInDomain, type DomainAction, type DomainRole } from '#contract/domains/domain-actions.ts'
import type { MemberRole } from '#contract/domains/domains.ts'
import type { Person } from '#server/accounts/person.ts'
import { requireChanges, type Write } from '#server/db/database.ts'
import { ForeignKeyViolation, UnexpectedChanges, UniqueViolation } from '#server/db/database-errors.ts'
import type { Schema } from '#server/db/schema.ts'
import { Problem } from '#server/http/problem.ts'
import { retryChanges } from '#server/http/retry-changes.ts'
import type { Services } from '#server/services.ts'

export type DomainRow = Selectable<Schema['domains']>

const managerActions: readonly DomainAction[] = ['see', 'edit', 'seeCustomDomain']

/** A domain with the caller's role; `null` for platform managers who aren't members. */
export interface DomainAccess {
  domain: DomainRow
  role: DomainRole | null
  agreed: boolean
}

/** Every verb of a domain goes through here. @throws Problem 404 alike for unknown and other people's domains, 403 */
export async function requireDomainAccess(
  services: Services,
  person: Pick<Person, 'id' | 'permissions'>,
  id: string,
  action: DomainAction,
): Promise<DomainAccess> {
  const row = await selectWithMembership(services, person).where('domains.id', '=', id).executeTakeFirst()
  if (!row) throw createDomainNotFoundProblem()
  const access = toDomainAccess(row, person)
  const { role } = access
  const isPlatformManager = person.permissions.has('manage_domains')
  if (role === null && !isPlatformManager) throw createDomainNotFoundProblem()
  const isAllowed = canActInDomain(role, action) || (isPlatformManager && managerActions.includes(action))
  if (!isAllowed) throw new Problem('forbidden', { message: refusalTexts[action] })
  return access
}

export function selectWithMembership({ db }: Pick<Services, 'db'>, person: Pick<Person, 'id'>) {
  return db
    .selectFrom('domains')
    .leftJoin('domain_members', (join) =>
      join.onRef('domain_members.domain_id', '=', 'domains.id').on('domain_members.person_id', '=', person.id),
    )
    .selectAll('domains')
    .select(['domain_members.role', 'domain_members.agreed_at'])
}

type RowWithMembership = DomainRow & { role: MemberRole | null; agreed_at: number | null }

export function toDomainAccess(
  { role: memberRole, agreed_at, ...domain }: RowWithMembership,
  person: Pick<Person, 'id'>,
): DomainAccess {
  const role = domain.owner_id === person.id ? 'owner' : memberRole
  return { domain, role, agreed: role === null || role === 'owner' || agreed_at !== null }
}

/** First writes of a batch: serialize membership changes and fail if the owner or the person's role changed. */
export function lockDomain(
  { db }: Services,
  person: Pick<Person, 'id'>,
  { domain, role }: Pick<DomainAccess, 'domain' | 'role'>,
): Write[] {
  const ownerLock = db
    .updateTable('domains')
    .set({ owner_id: domain.owner_id })
    .where('id', '=', domain.id)
    .where('owner_id', '=', domain.owner_id)
  if (role === null || role === 'owner') return [requireChanges(ownerLock)]
  const roleLock = db
    .updateTable('domain_members')
    .set({ role })
    .where('domain_id', '=', domain.id)
    .where('person_id', '=', person.id)
    .where('role', '=', role)
  return [requireChanges(ownerLock), requireChanges(roleLock)]
}

export function retryOnConflict<T>(action: () => Promise<T>): Promise<T> {
  return retryChanges(action, (error) => {
    // A referenced row was deleted concurrently; the retry reports it as missing.
    const isMissingReference = error instanceof ForeignKeyViolation
    // A taken id is this very action, done earlier under its idempotency key.
    const isTaken = error instanceof UniqueViolation && error.columns.join() !== 'id'
    return isTaken || isMissingReference || error instanceof UnexpectedChanges
  })
}

export function createDomainNotFoundProblem(): Problem {
  return new Problem('not-found', { message: 'Domain not found' })
}

const refusalTexts: Record<DomainAction, string> = {
  see: 'You can’t view this domain.',
  leave: 'The owner can’t leave a domain. Transfer it to a member first, or delete it.',
  share: 'Your role in this domain doesn’t allow sharing. Ask its owner or an admin.',
  edit: 'Only the owner and admins of this domain can change it.',
  manageMembers: 'Only the owner and admins of this domain can manage its members.',
  setUp: 'Only the owner and admins of this domain can set it up.',
  seeCustomDomain: 'Only the owner and admins of this domain can see its custom domain’s status.',
  setCustomDomain: 'Only the owner of this domain can set its custom domain.',
  transfer: 'Only the owner of this domain can transfer it.',
  makePrimary: 'Only the owner of this domain can make it their primary domain.',
  remove: 'Only the owner of this domain can delete it.',
}
