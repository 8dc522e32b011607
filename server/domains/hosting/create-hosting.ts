import type { CustomDomainSettings } from '#server/settings/settings.ts'
import { createDnsDriver } from './dns-driver.ts'
import { createDnsQuery } from './dns-query.ts'
import type { HostingDriver } from './hosting-driver.ts'
import type { Fetch } from './vercel-api.ts'
import { createVercelDriver } from './vercel-driver.ts'

export function createHosting(
  settings: CustomDomainSettings,
  runtime: { fetch: Fetch; sleep(ms: number, signal: AbortSignal): Promise<void> },
): HostingDriver | null {
  const queryDns = createDnsQuery(settings.dnsServers)
  if (settings.driver === 'dns') return createDnsDriver(settings, queryDns)
  if (settings.driver === null) return null
  return createVercelDriver(settings.vercel, {
    fetch: runtime.fetch,
    sleep: (ms) => runtime.sleep(ms, new AbortController().signal),
    queryDns,
  })
}
