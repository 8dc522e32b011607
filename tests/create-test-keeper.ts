import { type Keeper, keepers } from '#contract/keepers/keepers.ts'
import type { Actor } from './test-app.ts'

type KeeperOverrides = Partial<
  Pick<Keeper, 'id' | 'title' | 'purpose' | 'keeperType' | 'keeperTypeId' | 'memoryPattern'>
>

/** Creates a keeper through the API: a journal with the SOLE pattern by default. */
export async function createTestKeeper(actor: Actor, overrides: KeeperOverrides = {}): Promise<Keeper> {
  const defaults = { title: 'The Harbour Year', purpose: 'Keep what the harbour says.', keeperType: 'journal' }
  const { status, data, text } = await actor.call(keepers.create, {
    body: { ...defaults, memoryPattern: 'sole', ...overrides },
  })
  if (status !== 200) throw new Error(`Failed to create a keeper: ${text}`)
  return data
}
