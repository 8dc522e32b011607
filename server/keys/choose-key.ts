import type { Provider } from '#contract/agents/model-settings.ts'
import type { Services } from '#server/services.ts'
import { platformOwner, sealedFor } from './provider-keys.ts'

export interface ChosenKey {
  source: 'personal' | 'platform' | 'mock' | 'none'
  key: string | null
  baseUrl: string | null
}

/**
 * Whose key pays for a run: the runner's own, else the active platform key, else (with a base address and no key)
 * a local server called without one, else the mock. Visitors have no key of their own.
 */
export async function chooseKey(services: Services, personId: string | null, provider: Provider): Promise<ChosenKey> {
  const { key: environmentKey, baseUrl } = services.settings.providers[provider]
  const owners = personId ? [personId, platformOwner] : [platformOwner]
  const rows = await services.db
    .selectFrom('provider_keys')
    .select(['owner', 'sealed'])
    .where('provider', '=', provider)
    .where('owner', 'in', owners)
    .where('is_active', '=', true)
    .execute()
  for (const owner of owners) {
    const row = rows.find((candidate) => candidate.owner === owner)
    if (row) {
      const key = services.sealer.open(row.sealed, sealedFor(owner, provider))
      return { source: owner === platformOwner ? 'platform' : 'personal', key, baseUrl }
    }
  }
  if (environmentKey) return { source: 'platform', key: environmentKey, baseUrl }
  return baseUrl ? { source: 'none', key: null, baseUrl } : { source: 'mock', key: null, baseUrl: null }
}
