import type { Updateable } from 'kysely'
import type * as z from 'zod/mini'
import type { Domain, domains } from '#contract/domains/domains.ts'
import { showOneLine } from '#contract/one-line-text.ts'
import type { Person } from '#server/accounts/person.ts'
import { auditing } from '#server/audit/write-audit.ts'
import { requireChanges } from '#server/db/database.ts'
import { ForeignKeyViolation, UniqueViolation } from '#server/db/database-errors.ts'
import type { Schema } from '#server/db/schema.ts'
import { refuseLinkInName } from '#server/http/links-in-names.ts'
import { badField, Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { type DomainRow, holdDomain, requireDomainTo, retryOnConflict } from './domain-access.ts'
import { freeSlug, refuseSlug, slugTaken } from './domain-slug.ts'
import { domainView } from './domains-of.ts'
import { tellDomain } from './tell-domain.ts'

type DomainChanges = z.output<typeof domains.update.body & {}>

/** An emptied slug is derived from the name. @throws Problem 400 and 409 with `fields`; `stale` with `{yours, current}` */
export async function updateDomain(
  services: Services,
  person: Person,
  id: string,
  given: DomainChanges,
  ifMatch: number | null,
): Promise<Domain> {
  return retryOnConflict(async () => {
    const found = await requireDomainTo(services, person, id, 'edit')
    const { domain: row, role, agreed } = found
    const changes = await changesOf(services, row, given)
    if (ifMatch !== null && ifMatch !== row.rev) {
      const yours = domainView({ ...row, ...changes, rev: ifMatch } as DomainRow, role, agreed)
      throw new Problem('stale', { data: { yours, current: domainView(row, role, agreed) } })
    }
    const names = Object.keys(changes)
    if (names.length === 0) return domainView(row, role, agreed)
    const saved = { ...changes, updated_at: services.now().getTime(), rev: row.rev + 1 }
    try {
      await services.db.batch([
        ...holdDomain(services, person, found),
        requireChanges(
          services.db.updateTable('domains').set(saved).where('id', '=', row.id).where('rev', '=', row.rev),
        ),
        auditing(services, {
          action: 'domain-changed',
          actor: person,
          domainId: row.id,
          details: { changed: names.join(', ') },
        }),
      ])
    } catch (error) {
      // A generated slug is generated again by the retry.
      if (given.slug && error instanceof UniqueViolation) throw slugTaken()
      if (error instanceof ForeignKeyViolation) throw agentRefused()
      throw error
    }
    await tellDomain(services, row.id, [person.id])
    return domainView({ ...row, ...saved } as DomainRow, role, agreed)
  })
}

async function changesOf(services: Services, row: DomainRow, given: DomainChanges) {
  const changes: Updateable<Schema['domains']> = {}
  refuseLinkInName('name', given.name, showOneLine(row.name))
  if (given.name !== undefined && given.name !== row.name) changes.name = given.name
  if (given.description !== undefined && (given.description || null) !== row.description)
    changes.description = given.description || null
  if (given.slug !== undefined && given.slug !== row.slug) {
    if (given.slug) refuseSlug(given.slug)
    const slug = given.slug || (await freeSlug(services, given.name ?? row.name, 'domain', row.id))
    if (slug !== row.slug) changes.slug = slug
  }
  if (given.leadAgentId !== undefined && given.leadAgentId !== row.lead_agent_id) {
    if (given.leadAgentId !== null) await refuseOtherAgent(services, row, given.leadAgentId)
    changes.lead_agent_id = given.leadAgentId
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
