import { type DomainSetup, setupFlags, setupSteps } from '#contract/domains/domain-setup.ts'
import type { Person } from '#server/accounts/person.ts'
import { json } from '#server/db/database.ts'
import type { Services } from '#server/services.ts'
import { createDomainNotFoundProblem, type DomainRow, requireDomainAccess } from '../domain-access.ts'

export async function showSetup(services: Services, person: Person, id: string): Promise<DomainSetup> {
  const { domain } = await requireDomainAccess(services, person, id, 'setUp')
  return toDomainSetup(services, domain)
}

async function toDomainSetup(services: Services, domain: DomainRow): Promise<DomainSetup> {
  const { db } = services
  const { owner_id } = domain
  const existing = await db
    .selectFrom('people')
    .where('people.id', '=', owner_id)
    .select('people.preferred_theme_id as theme')
    .select([
      db
        .selectFrom('keepers')
        .select('id')
        .where('owner_id', '=', owner_id)
        .where('deleted_at', 'is', null)
        .limit(1)
        .as('keeper'),
      db.selectFrom('agents').select('id').where('owner_id', '=', owner_id).limit(1).as('agent'),
      db.selectFrom('provider_keys').select('id').where('owner', '=', owner_id).limit(1).as('key'),
      db.selectFrom('domain_members').select('person_id').where('domain_id', '=', domain.id).limit(1).as('member'),
    ])
    .executeTakeFirstOrThrow()
  const steps = Object.fromEntries(
    setupSteps.map((step) => [step, { done: existing[step] !== null, skipped: domain.setup_skipped.includes(step) }]),
  ) as DomainSetup['steps']
  const flags = {
    domainInfo: [domain.name, domain.slug, domain.description].every((text) => text?.trim()),
    setupSteps: setupSteps.every((step) => steps[step].done || steps[step].skipped),
    members: existing.member !== null || domain.setup_just_me,
    customDomain: domain.custom_domain_verified || domain.setup_no_custom_domain,
  }
  const nextIndex = setupFlags.findIndex((flag) => !flags[flag])
  return {
    ...flags,
    percent: (setupFlags.filter((flag) => flags[flag]).length / setupFlags.length) * 100,
    next: nextIndex === -1 ? null : nextIndex,
    steps,
    justMe: domain.setup_just_me,
    noCustomDomain: domain.setup_no_custom_domain,
  }
}

interface SetupChoice {
  justMe?: boolean | undefined
  noCustomDomain?: boolean | undefined
  skipped?: (keyof DomainSetup['steps'])[] | undefined
}

export async function chooseSetup(
  services: Services,
  person: Person,
  id: string,
  { justMe, noCustomDomain, skipped }: SetupChoice,
): Promise<DomainSetup> {
  const { domain } = await requireDomainAccess(services, person, id, 'setUp')
  // Writes only the given columns, since others may be changed concurrently.
  const columns = {
    ...(justMe !== undefined && { setup_just_me: justMe }),
    ...(noCustomDomain !== undefined && { setup_no_custom_domain: noCustomDomain }),
    ...(skipped && { setup_skipped: json([...new Set(skipped)]) }),
  }
  if (Object.keys(columns).length === 0) return toDomainSetup(services, domain)
  const row = await services.db
    .updateTable('domains')
    .set(columns)
    .where('id', '=', domain.id)
    .returningAll()
    .executeTakeFirst()
  if (!row) throw createDomainNotFoundProblem()
  services.live.publish(person.id, { type: 'domains-changed', domainId: domain.id })
  return toDomainSetup(services, row)
}
