import type { Provider } from '#contract/agents/model-settings.ts'
import { getProviderName } from '#contract/providers/registry.ts'
import { prepareQuery } from '#server/db/database.ts'
import { Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { platformOwner, requireProviderSettings, toKeyBinding } from './provider-keys.ts'
import { openSealed } from './sealer.ts'

export interface ChosenKey {
  source: 'personal' | 'platform' | 'mock' | 'none'
  key: string | null
  baseUrl: string | null
  headers?: Record<string, string>
  /** Owner of the key: a person's id or `platform`; `null` if no one pays. */
  payer: string | null
}

export interface Spender {
  personId: string | null
  agent: { owner_id: string | null; visitors_spend_owner_key: boolean }
}

/** The runner's key, else the platform's, else no key if the provider has a base URL, else the mock. Owners can let visitors spend theirs. */
export async function chooseKey(
  services: Services,
  { personId: runnerId, agent }: Spender,
  provider: Provider,
): Promise<ChosenKey> {
  const personId = runnerId ?? (agent.visitors_spend_owner_key ? agent.owner_id : null)
  const { key: environmentKey, baseUrl, headers } = requireProviderSettings(services, provider)
  const owners = personId ? [personId, platformOwner] : [platformOwner]
  const rows = await savedKeysQuery.all(services.db, { provider, personId: personId ?? platformOwner })
  for (const owner of owners) {
    const row = rows.find((candidate) => candidate.owner === owner)
    if (row?.is_active) {
      const key = await openKey(services, row, provider)
      return { source: owner === platformOwner ? 'platform' : 'personal', key, baseUrl, headers, payer: owner }
    }
  }
  // A stored key hides the environment's even while disabled, so that disabling it stops all spending.
  const isEnvironmentHidden = rows.some((row) => row.owner === platformOwner)
  if (environmentKey && !isEnvironmentHidden)
    return { source: 'platform', key: environmentKey, baseUrl, headers, payer: platformOwner }
  return baseUrl
    ? { source: 'none', key: null, baseUrl, headers, payer: null }
    : { source: 'mock', key: null, baseUrl: null, payer: null }
}

export function choosePlatformKey(services: Services, provider: Provider): Promise<ChosenKey> {
  return chooseKey(services, { personId: null, agent: { owner_id: null, visitors_spend_owner_key: false } }, provider)
}

/** One owner's saved key, even if disabled. @throws Problem `not-found` */
export async function openSavedKey(services: Services, owner: string, provider: Provider): Promise<ChosenKey> {
  const rows = await savedKeysQuery.all(services.db, { provider, personId: owner })
  const row = rows.find((candidate) => candidate.owner === owner)
  if (!row) throw new Problem('not-found', { message: 'There’s no key for this provider.' })
  const { baseUrl, headers } = requireProviderSettings(services, provider)
  const key = await openKey(services, row, provider)
  return { source: owner === platformOwner ? 'platform' : 'personal', key, baseUrl, headers, payer: owner }
}

const savedKeysQuery = prepareQuery<{ provider: Provider; personId: string }>()((db, { provider, personId }) =>
  db
    .selectFrom('provider_keys')
    .select(['owner', 'sealed', 'is_active'])
    .where('provider', '=', provider)
    .where((where) => where.or([where('owner', '=', personId), where('owner', '=', platformOwner)])),
)

/** Refuses keys sealed under another master key or moved from another owner, instead of spending another key. */
async function openKey(
  services: Services,
  row: { owner: string; sealed: string },
  provider: Provider,
): Promise<string> {
  const key = await openSealed(services, row.sealed, toKeyBinding(row.owner, provider))
  if (key !== undefined) return key
  services.log.error({ provider }, 'a saved provider key could not be decrypted')
  const ownerKind = row.owner === platformOwner ? 'platform' : 'personal'
  throw new Problem('conflict', {
    message: `The saved ${ownerKind} ${getProviderName(provider)} key can no longer be decrypted. Save it again.`,
  })
}
