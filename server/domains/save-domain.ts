import type { Updateable } from 'kysely'
import type * as z from 'zod/mini'
import type { Domain, domains } from '#contract/domains/domains.ts'
import { toDisplayLine } from '#contract/one-line-text.ts'
import type { Person } from '#server/accounts/person.ts'
import { insertAudit } from '#server/audit/write-audit.ts'
import { requireChanges } from '#server/db/database.ts'
import { ForeignKeyViolation, UniqueViolation } from '#server/db/database-errors.ts'
import { findEarlierCreation } from '#server/db/insert-with-slug.ts'
import type { Schema } from '#server/db/schema.ts'
import { refuseLinkInName } from '#server/http/links-in-names.ts'
import { badField, Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { type DomainRow, lockDomain, requireDomainAccess, retryOnConflict } from './domain-access.ts'
import { createSlugTakenProblem, findFreeDomainSlug, refuseInvalidSlug } from './domain-slug.ts'
import { toDomain } from './list-domains.ts'
import { listDomainPersonIds, publishDomainChanged } from './publish-domain-changed.ts'
import { detachHost } from './set-custom-domain.ts'

/** @throws Problem 400 for an invalid slug, 409 `slug-taken` with `fields` */
export async function createDomain(
  services: Services,
  person: Person,
  input: z.output<typeof domains.create.body & {}>,
): Promise<Domain> {
  refuseLinkInName('name', input.name)
  if (input.slug) refuseInvalidSlug(input.slug)
  const id = services.newId()
  return retryOnConflict(async () => {
    const now = services.now().getTime()
    const row = {
      id,
      owner_id: person.id,
      name: input.name,
      slug: input.slug || (await findFreeDomainSlug(services, input.name, 'domain')),
      description: input.description || null,
      is_primary: false,
      custom_domain: null,
      custom_domain_verified: false,
      created_at: now,
      updated_at: now,
    }
    try {
      await services.db.batch([
        services.db.insertInto('domains').values(row),
        insertAudit(services, { action: 'domain-created', actor: person, domainId: id }),
      ])
    } catch (error) {
      if (!input.slug || !(error instanceof UniqueViolation)) throw error
      throw (await findEarlierCreation(services, 'domains', id, error)) ?? createSlugTakenProblem()
    }
    await publishDomainChanged(services, id)
    const { domain, role } = await requireDomainAccess(services, person, id, 'see')
    return toDomain(domain, role)
  })
}

type DomainChanges = z.output<typeof domains.update.body & {}>

/** An emptied slug is derived from the name. @throws Problem 400 and 409 with `fields`; `stale` with `{yours, current}` */
export async function updateDomain(
  services: Services,
  person: Person,
  id: string,
  input: DomainChanges,
  ifMatch: number | null,
): Promise<Domain> {
  return retryOnConflict(async () => {
    const access = await requireDomainAccess(services, person, id, 'edit')
    const { domain: row, role, agreed } = access
    const changes = await toColumnChanges(services, row, input)
    if (ifMatch !== null && ifMatch !== row.rev) {
      const sentDomain = toDomain({ ...row, ...changes, rev: ifMatch } as DomainRow, role, agreed)
      throw new Problem('stale', { data: { yours: sentDomain, current: toDomain(row, role, agreed) } })
    }
    const changedColumns = Object.keys(changes)
    if (changedColumns.length === 0) return toDomain(row, role, agreed)
    const savedColumns = { ...changes, updated_at: services.now().getTime(), rev: row.rev + 1 }
    try {
      await services.db.batch([
        ...lockDomain(services, person, access),
        requireChanges(
          services.db.updateTable('domains').set(savedColumns).where('id', '=', row.id).where('rev', '=', row.rev),
        ),
        insertAudit(services, {
          action: 'domain-changed',
          actor: person,
          domainId: row.id,
          details: { changed: changedColumns.join(', ') },
        }),
      ])
    } catch (error) {
      if (input.slug && error instanceof UniqueViolation) throw createSlugTakenProblem()
      if (error instanceof ForeignKeyViolation) throw createLeadAgentProblem()
      throw error
    }
    await publishDomainChanged(services, row.id, [person.id])
    return toDomain({ ...row, ...savedColumns } as DomainRow, role, agreed)
  })
}

async function toColumnChanges(services: Services, row: DomainRow, input: DomainChanges) {
  const changes: Updateable<Schema['domains']> = {}
  refuseLinkInName('name', input.name, toDisplayLine(row.name))
  if (input.name !== undefined && input.name !== row.name) changes.name = input.name
  if (input.description !== undefined && (input.description || null) !== row.description)
    changes.description = input.description || null
  if (input.slug !== undefined && input.slug !== row.slug) {
    if (input.slug) refuseInvalidSlug(input.slug)
    const slug = input.slug || (await findFreeDomainSlug(services, input.name ?? row.name, 'domain', row.id))
    if (slug !== row.slug) changes.slug = slug
  }
  if (input.leadAgentId !== undefined && input.leadAgentId !== row.lead_agent_id) {
    if (input.leadAgentId !== null) await refuseOtherAgent(services, row, input.leadAgentId)
    changes.lead_agent_id = input.leadAgentId
  }
  return changes
}

/** Everyone can talk to the agent of a custom domain, so it must be public and its cost the owner's. */
async function refuseOtherAgent({ db }: Services, { owner_id }: DomainRow, agentId: string): Promise<void> {
  const agent = await db
    .selectFrom('agents')
    .select('id')
    .where('id', '=', agentId)
    .where('agent_class', '=', 'Lead')
    .where('visibility', '=', 'public')
    .where((where) => where.or([where('owner_id', '=', owner_id), where('owner_id', 'is', null)]))
    .executeTakeFirst()
  if (!agent) throw createLeadAgentProblem()
}

function createLeadAgentProblem(): Problem {
  return badField('leadAgentId', 'Choose a public Lead agent of the domain’s owner, or one that comes with Keeper.')
}

export async function setPrimaryDomain(services: Services, person: Person, id: string): Promise<Domain> {
  return retryOnConflict(async () => {
    const { domain } = await requireDomainAccess(services, person, id, 'makePrimary')
    if (domain.is_primary) return toDomain(domain, 'owner')
    await services.db.batch([
      services.db
        .updateTable('domains')
        .set({ is_primary: false })
        .where('owner_id', '=', person.id)
        .where('is_primary', '=', true),
      requireChanges(
        services.db
          .updateTable('domains')
          .set({ is_primary: true })
          .where('id', '=', id)
          .where('owner_id', '=', person.id),
      ),
      insertAudit(services, { action: 'domain-made-primary', actor: person, domainId: id }),
    ])
    await publishDomainChanged(services, id)
    return toDomain({ ...domain, is_primary: true }, 'owner')
  })
}

/** Shared entities stay with their owners. @throws Problem 409 for the primary domain */
export async function removeDomain(services: Services, person: Person, id: string): Promise<null> {
  return retryOnConflict(async () => {
    const { domain } = await requireDomainAccess(services, person, id, 'remove')
    if (domain.is_primary)
      throw new Problem('conflict', {
        message: 'Your primary domain can’t be deleted. Make another domain your primary one first.',
      })
    const personIds = await listDomainPersonIds(services, id)
    await services.db.batch([
      requireChanges(
        services.db
          .deleteFrom('domains')
          .where('id', '=', id)
          .where('owner_id', '=', person.id)
          .where('is_primary', '=', false)
          .where('custom_domain', 'is not distinct from', domain.custom_domain)
          // If the custom domain was attached concurrently, the provider would have to release it.
          .where('custom_domain_attached_at', 'is not distinct from', domain.custom_domain_attached_at),
      ),
      insertAudit(services, { action: 'domain-deleted', actor: person, domainId: id, subject: domain.custom_domain }),
    ])
    await detachHost(services, domain)
    await publishDomainChanged(services, id, personIds)
    return null
  })
}
