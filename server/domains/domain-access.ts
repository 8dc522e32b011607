import type { Selectable } from 'kysely'
import { type DomainDeed, type DomainRole, mayInDomain } from '#contract/domains/domain-deeds.ts'
import type { Person } from '#server/accounts/person.ts'
import { requireChanges, type Write } from '#server/db/database.ts'
import { ForeignKeyViolation, UnexpectedChanges, UniqueViolation } from '#server/db/database-errors.ts'
import type { Schema } from '#server/db/schema.ts'
import { Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'

export type DomainRow = Selectable<Schema['domains']>

/** What who holds `manage_domains` may do in a domain they are no member of. */
const deedsOfManagers: readonly DomainDeed[] = ['see', 'edit', 'seeCustomDomain']

/** A domain, and the caller's role in it; `null` for who only manages the platform's domains. */
export interface DomainOf {
  domain: DomainRow
  role: DomainRole | null
  /** Not yet is who was put there and has not said so: see `agreeing.ts`. Everybody else has. */
  agreed: boolean
}

/**
 * A domain in which this person may do that. Every verb of a domain comes through here.
 * @throws Problem 404, the same for a domain of others and for none, and 403 where a member's role does not allow it
 */
export async function requireDomainTo(
  services: Services,
  person: Pick<Person, 'id' | 'permissions'>,
  id: string,
  deed: DomainDeed,
): Promise<DomainOf> {
  const row = await services.db
    .selectFrom('domains')
    .leftJoin('domain_members', (join) =>
      join.onRef('domain_members.domain_id', '=', 'domains.id').on('domain_members.person_id', '=', person.id),
    )
    .selectAll('domains')
    .select(['domain_members.role', 'domain_members.agreed_at'])
    .where('domains.id', '=', id)
    .executeTakeFirst()
  if (!row) throw domainNotFound()
  const { role: memberRole, agreed_at, ...domain } = row
  const role = domain.owner_id === person.id ? 'owner' : memberRole
  const manages = person.permissions.has('manage_domains')
  if (role === null && !manages) throw domainNotFound()
  const may = (role !== null && mayInDomain(role, deed)) || (manages && deedsOfManagers.includes(deed))
  if (!may) throw new Problem('forbidden', { message: refusals[deed] })
  return { domain, role, agreed: hasAgreed(role, agreed_at) }
}

/** The owner always has, and who is no member was not put there. */
export function hasAgreed(role: DomainRole | null, agreedAt: number | null): boolean {
  return role === null || role === 'owner' || agreedAt !== null
}

/**
 * Goes first in the batch of a deed: holds the domain, so that changes of its members follow each other, and undoes the
 * batch with UnexpectedChanges when the domain has another owner meanwhile, or who does it another role.
 */
export function holdDomain(
  { db }: Services,
  person: Pick<Person, 'id'>,
  { domain, role }: Pick<DomainOf, 'domain' | 'role'>,
): Write[] {
  const sameOwner = db
    .updateTable('domains')
    .set({ owner_id: domain.owner_id })
    .where('id', '=', domain.id)
    .where('owner_id', '=', domain.owner_id)
  if (role === null || role === 'owner') return [requireChanges(sameOwner)]
  const sameRole = db
    .updateTable('domain_members')
    .set({ role })
    .where('domain_id', '=', domain.id)
    .where('person_id', '=', person.id)
    .where('role', '=', role)
  return [requireChanges(sameOwner), requireChanges(sameRole)]
}

const tries = 4

/** Carries out a deed that looks first, once more when somebody was faster, with what is so now. */
export async function retryOnConflict<T>(deed: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await deed()
    } catch (error) {
      // Something it names went for good meanwhile: looking again finds it gone, and says so.
      const isGone = error instanceof ForeignKeyViolation
      // What has the same id is this very deed, carried out before under its key.
      const isTaken = error instanceof UniqueViolation && error.columns.join() !== 'id'
      if (!isTaken && !isGone && !(error instanceof UnexpectedChanges)) throw error
      if (attempt === tries) throw new Problem('conflict', { cause: error })
    }
  }
}

export function domainNotFound(): Problem {
  return new Problem('not-found', { message: 'Domain not found' })
}

const refusals: Record<DomainDeed, string> = {
  see: 'This domain is not yours to see.',
  leave: 'The owner cannot leave a domain. Hand it to a member first, or delete it.',
  share: 'Your role in this domain does not allow sharing in it. Ask its owner or an admin.',
  edit: 'Only the owner and admins of this domain may change it.',
  manageMembers: 'Only the owner and admins of this domain manage its members.',
  setUp: 'Only the owner and admins of this domain set it up.',
  seeCustomDomain: 'Only the owner and admins of this domain see how its custom domain stands.',
  setCustomDomain: 'Only the owner of this domain sets its custom domain.',
  transfer: 'Only the owner of this domain can hand it to somebody else.',
  makePrimary: 'Only the owner of this domain can make it their primary one.',
  remove: 'Only the owner of this domain can delete it.',
}
