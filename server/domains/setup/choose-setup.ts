import type { DomainSetup } from '#contract/domains/domain-setup.ts'
import type { Person } from '#server/accounts/person.ts'
import { json } from '#server/db/database.ts'
import type { Services } from '#server/services.ts'
import { requireDomainTo } from '../domain-access.ts'
import { setupOf } from './show-setup.ts'

interface Choice {
  justMe?: boolean | undefined
  noCustomDomain?: boolean | undefined
  skipped?: (keyof DomainSetup['steps'])[] | undefined
}

/** Puts something off on purpose, or takes that back; what is there counts all the same. */
export async function chooseSetup(
  services: Services,
  person: Person,
  id: string,
  { justMe, noCustomDomain, skipped }: Choice,
): Promise<DomainSetup> {
  const { domain } = await requireDomainTo(services, person, id, 'setUp')
  const chosen = {
    setup_just_me: justMe ?? domain.setup_just_me,
    setup_no_custom_domain: noCustomDomain ?? domain.setup_no_custom_domain,
    setup_skipped: [...new Set(skipped ?? domain.setup_skipped)],
  }
  await services.db
    .updateTable('domains')
    .set({ ...chosen, setup_skipped: json(chosen.setup_skipped) })
    .where('id', '=', domain.id)
    .execute()
  services.live.tell(person.id, { type: 'domains-changed', domainId: domain.id })
  return setupOf(services, { ...domain, ...chosen })
}
