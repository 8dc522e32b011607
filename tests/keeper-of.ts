import { type Keeper, keepers } from '#contract/keepers/keepers.ts'
import type { Actor } from './test-app.ts'

type Given = Partial<Pick<Keeper, 'id' | 'title' | 'purpose' | 'keeperType' | 'keeperTypeId' | 'memoryPattern'>>

/** Creates a keeper through the API: a journal with the SOLE pattern by default. */
export async function keeperOf(actor: Actor, given: Given = {}): Promise<Keeper> {
  const words = { title: 'The Harbour Year', purpose: 'Keep what the harbour says.', keeperType: 'journal' }
  const { status, data, text } = await actor.call(keepers.create, {
    body: { ...words, memoryPattern: 'sole', ...given },
  })
  if (status !== 200) throw new Error(`Failed to create a keeper: ${text}`)
  return data
}
