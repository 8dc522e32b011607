import type { Updateable } from 'kysely'
import type * as z from 'zod/mini'
import type { Domain, domains } from '#contract/domains/domains.ts'
import { toDisplayLine } from '#contract/one-line-text.ts'
import type { Person } from '#server/accounts/person.ts'
import { insertAudit } from '#server/audit/write-audit.ts'
import { requireChanges } from '#server/db/database.ts'
import { ForeignKeyViolation, UniqueViolation } from '#server/db/database-errors.ts'
import type { Schema } from '#server/db/schema.ts'
import { refuseLinkInName } from '#server/http/links-in-names.ts'
import { badField, Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { type DomainRow, lockDomain, requireDomainTo, retryOnConflict } from './domain-access.ts'
import { findFreeDomainSlug, refuseSlug, slugTaken } from './domain-slug.ts'
import { toDomain } from './list-domains.ts'
import { publishDomainChanged } from './publish-domain-changed.ts'

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
    const access = await requireDomainTo(services, person, id, 'edit')
    const { domain: row, role, agreed } = access
    const changes = await toColumnChanges(services, row, input)
    if (ifMatch !== null && ifMatch !== row.rev) {
      const sentDomain = toDomain({ ...row, ...changes, rev: ifMatch } as DomainRow, role, agreed)
      throw new Problem('stale', { data: { yours: sentDomain, current: toDomain(row, role, agreed) } })
    }
    const names = Object.keys(changes)
    if (names.length === 0) return toDomain(row, role, agreed)
    const saved = { ...changes, updated_at: services.now().getTime(), rev: row.rev + 1 }
    try {
      await services.db.batch([
        ...lockDomain(services, person, access),
        requireChanges(
          services.db.updateTable('domains').set(saved).where('id', '=', row.id).where('rev', '=', row.rev),
        ),
        insertAudit(services, {
          action: 'domain-changed',
          actor: person,
          domainId: row.id,
          details: { changed: names.join(', ') },
        }),
      ])
    } catch (error) {
      if (input.slug && error instanceof UniqueViolation) throw slugTaken()
      if (error instanceof ForeignKeyViolation) throw agentRefused()
      throw error
    }
    await publishDomainChanged(services, row.id, [person.id])
    return toDomain({ ...row, ...saved } as DomainRow, role, agreed)
  })
}

async function toColumnChanges(services: Services, row: DomainRow, input: DomainChanges) {
  const changes: Updateable<Schema['domains']> = {}
  refuseLinkInName('name', input.name, toDisplayLine(row.name))
  if (input.name !== undefined && input.name !== row.name) changes.name = input.name
  if (input.description !== undefined && (input.description || null) !== row.description)
    changes.description = input.description || null
  if (input.slug !== undefined && input.slug !== row.slug) {
    if (input.slug) refuseSlug(input.slug)
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
  if (!agent) throw agentRefused()
}

function agentRefused(): Problem {
  return badField('leadAgentId', 'Choose a public Lead agent of the domain’s owner, or one that comes with Keeper.')
}
