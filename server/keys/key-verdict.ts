import type { Provider } from '#contract/agents/model-settings.ts'
import type { ModelFailure } from '#server/models/model-failure.ts'
import type { Services } from '#server/services.ts'
import { platformOwner, sealedFor } from './provider-keys.ts'

export interface UsedKey {
  provider: Provider
  /** A person's id or `platform`; `null` where no stored key was used. */
  payer: string | null
  key: string | null
}

/**
 * Keeps for the key's card that its provider refused it, or that it works again. A key saved anew meanwhile is not
 * blamed for the old one. `ending` is how the call ended: its failure, or `works`.
 */
export async function noteKeyVerdict(
  services: Services,
  { provider, payer, key }: UsedKey,
  ending: Pick<ModelFailure, 'code' | 'status'> | 'works',
): Promise<void> {
  // 403 is about what the key may do, not about the key.
  const rejected = ending !== 'works' && ending.code === 'key-rejected' && ending.status !== 403
  if (payer === null || key === null || (ending !== 'works' && !rejected)) return
  const row = await services.db
    .selectFrom('provider_keys')
    .select(['id', 'sealed', 'rejected_at'])
    .where('owner', '=', payer)
    .where('provider', '=', provider)
    .executeTakeFirst()
  // Written only when it changes: every run of everybody comes by here.
  if (!row || rejected === (row.rejected_at !== null) || !holds(services, row.sealed, { provider, payer, key })) return
  await services.db
    .updateTable('provider_keys')
    .set({ rejected_at: rejected ? services.now().getTime() : null })
    .where('id', '=', row.id)
    .where('sealed', '=', row.sealed)
    .execute()
  if (payer !== platformOwner) services.live.tell(payer, { type: 'keys-changed' })
}

function holds(
  services: Services,
  sealed: string,
  { provider, payer, key }: { provider: Provider; payer: string; key: string },
): boolean {
  try {
    return services.sealer.open(sealed, sealedFor(payer, provider)) === key
  } catch {
    // Sealed under another master key: not the one that was used.
    return false
  }
}
