import type { Services } from '#server/services.ts'
import { createSealer, secretsOfRotation } from './sealer.ts'

/**
 * Opens a sealed text, also while the master secret is rotated: between the first text that is sealed again and the last
 * process that heard of it, texts are under either secret. `undefined`: none of them opens it.
 */
export async function openSealed(
  { sealer, settings }: Pick<Services, 'sealer' | 'settings'>,
  sealed: string,
  belongsTo: string,
): Promise<string | undefined> {
  try {
    return sealer.open(sealed, belongsTo)
  } catch {
    for (const secret of await secretsOfRotation(settings.secret, settings.dataDir)) {
      try {
        return createSealer(secret).open(sealed, belongsTo)
      } catch {
        // Under another one.
      }
    }
    return undefined
  }
}

/** What a sealed text of a personal tool server is bound to: moved to another owner or server it does not open. */
export function sealedForToolServer({ owner_id: owner, id }: { owner_id: string; id: string }): string {
  return `${owner}|tool-server ${id}`
}

/** The same for the headers of a model service. */
export const sealedForModelService = (id: string): string => `platform|model-service ${id}`
