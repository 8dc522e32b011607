import type { Provider } from '#contract/agents/model-settings.ts'
import type { ModelFailure } from '#server/models/model-failure.ts'
import type { Services } from '#server/services.ts'
import { platformOwner, toKeyBinding } from './provider-keys.ts'

export interface UsedKey {
  provider: Provider
  /** A person's id or `platform`; `null` if no stored key was used. */
  payer: string | null
  key: string | null
}

export async function recordKeyVerdict(
  services: Services,
  { provider, payer, key }: UsedKey,
  outcome: Pick<ModelFailure, 'code' | 'status'> | 'works',
): Promise<void> {
  // 403 is about the key's permissions, not its validity.
  const isRejected = outcome !== 'works' && outcome.code === 'key-rejected' && outcome.status !== 403
  if (payer === null || key === null || (outcome !== 'works' && !isRejected)) return
  const row = await services.db
    .selectFrom('provider_keys')
    .select(['id', 'sealed', 'rejected_at'])
    .where('owner', '=', payer)
    .where('provider', '=', provider)
    .executeTakeFirst()
  if (
    !row ||
    isRejected === (row.rejected_at !== null) ||
    !matchesSealedKey(services, row.sealed, { provider, payer, key })
  )
    return
  await services.db
    .updateTable('provider_keys')
    .set({ rejected_at: isRejected ? services.now().getTime() : null })
    .where('id', '=', row.id)
    .where('sealed', '=', row.sealed)
    .execute()
  if (payer !== platformOwner) services.live.publish(payer, { type: 'keys-changed' })
}

function matchesSealedKey(
  services: Services,
  sealed: string,
  { provider, payer, key }: { provider: Provider; payer: string; key: string },
): boolean {
  try {
    return services.sealer.open(sealed, toKeyBinding(payer, provider)) === key
  } catch {
    // Sealed under another master key, so it isn't the key that was used.
    return false
  }
}
