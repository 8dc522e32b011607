import { randomBytes } from 'node:crypto'
import type { DnsStatus } from '#contract/domains/custom-domains.ts'
import type { Person } from '#server/accounts/person.ts'
import { auditing } from '#server/audit/write-audit.ts'
import { requireChanges } from '#server/db/database.ts'
import { UnexpectedChanges } from '#server/db/database-errors.ts'
import { type HostingDriver, HostingFailure } from '#server/domains/hosting/hosting-driver.ts'
import { failureText, takenCodes } from '#server/domains/hosting/hosting-errors.ts'
import { badField, Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { detachHost } from '../detach-host.ts'
import { holdDomain, requireDomainTo } from '../domain-access.ts'
import { setCustomDomain } from '../set-custom-domain.ts'
import { tellDomain } from '../tell-domain.ts'
import { countDeed } from './count-look.ts'
import { readHostName } from './host-name.ts'
import { changedMeanwhile, hostedNameOf, requireHostedName } from './hosted-name.ts'
import { statusView } from './show-status.ts'

/** Idempotent. @throws Problem 400 without driver or name, 409 if another project has it, 502; `stale` with both versions */
export async function attachHost(
  services: Services,
  person: Person,
  id: string,
  given: string | undefined,
  ifMatch: number | null = null,
): Promise<DnsStatus> {
  const { domain: present } = await requireDomainTo(services, person, id, 'setCustomDomain')
  const { hosting, settings } = services
  if (!hosting) throw new Problem('driver-missing')
  if (given !== undefined && readHostName(given, settings) !== present.custom_domain)
    await setCustomDomain(services, person, id, given, ifMatch)
  const found = await requireDomainTo(services, person, id, 'setCustomDomain')
  const { domain } = found
  const name = await requireHostedName(services, domain)

  await countDeed(services, id)
  await attachAtProvider(hosting, name)
  const columns = {
    custom_domain_attached_at: services.now().getTime(),
    custom_domain_token: domain.custom_domain_token ?? randomBytes(10).toString('hex'),
  }
  const after = { ...domain, ...columns }
  try {
    await services.db.batch([
      ...holdDomain(services, person, found),
      requireChanges(
        services.db
          .updateTable('domains')
          .set(columns)
          .where('id', '=', id)
          .where('custom_domain', '=', name.hostname)
          .where('custom_domain_token', 'is not distinct from', domain.custom_domain_token),
      ),
      auditing(services, { action: 'custom-domain-added', actor: person, domainId: id, subject: name.hostname }),
    ])
  } catch (error) {
    if (!(error instanceof UnexpectedChanges)) throw error
    await letGo(services, after)
    throw changedMeanwhile()
  }
  await tellDomain(services, id)
  const attached = await hostedNameOf(services, after)
  return statusView(services, after, await hosting.status(attached ?? name))
}

async function attachAtProvider(hosting: HostingDriver, name: Parameters<HostingDriver['attach']>[0]): Promise<void> {
  try {
    await hosting.attach(name)
  } catch (error) {
    if (error instanceof HostingFailure) throw attachProblem(error)
    throw error
  }
}

const badNameCodes = ['bad_request', 'invalid_domain', '400']

function attachProblem({ errorCode, message }: HostingFailure): Problem {
  const words = failureText(errorCode, message)
  if (badNameCodes.includes(errorCode)) return badField('customDomain', words)
  return new Problem(takenCodes.includes(errorCode) ? 'conflict' : 'provider-failed', {
    message: words,
    code: errorCode,
  })
}

/** Detaches a name this domain no longer has, unless a claim to the same name needs it. */
async function letGo(services: Services, row: Parameters<typeof detachHost>[1]): Promise<void> {
  const claim = await services.db
    .selectFrom('domains')
    .select('custom_domain_attached_at')
    .where('id', '=', row.id)
    .where('custom_domain', '=', row.custom_domain)
    .executeTakeFirst()
  if (claim?.custom_domain_attached_at == null) await detachHost(services, row)
}
