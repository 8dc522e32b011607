import type { DomainSetup } from '#contract/domains/domain-setup.ts'
import type { Person } from '#server/accounts/person.ts'
import { json } from '#server/db/database.ts'
import type { Services } from '#server/services.ts'
import { domainNotFound, requireDomainTo } from '../domain-access.ts'
import { toDomainSetup } from './show-setup.ts'

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
  const { domain } = await requireDomainTo(services, person, id, 'setUp')
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
  if (!row) throw domainNotFound()
  services.live.publish(person.id, { type: 'domains-changed', domainId: domain.id })
  return toDomainSetup(services, row)
}
