import type { Services } from '#server/services.ts'
import { createSealer, readRotationSecrets } from './sealer.ts'

export async function openSealed(
  { sealer, settings }: Pick<Services, 'sealer' | 'settings'>,
  sealed: string,
  binding: string,
): Promise<string | undefined> {
  try {
    return sealer.open(sealed, binding)
  } catch {
    for (const secret of await readRotationSecrets(settings.secret, settings.dataDir)) {
      try {
        return createSealer(secret).open(sealed, binding)
      } catch {
        // Sealed under another secret.
      }
    }
    return undefined
  }
}

/** Binds a sealed text to its owner and tool server; moved to another row it can't be opened. */
export function toToolServerBinding({ owner_id: owner, id }: { owner_id: string; id: string }): string {
  return `${owner}|tool-server ${id}`
}

export const toModelServiceBinding = (id: string): string => `platform|model-service ${id}`
