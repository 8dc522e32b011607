import { type Keeper, keepers } from '#contract/keepers/keepers.ts'
import type { Actor } from './test-app.ts'

type Given = Partial<Pick<Keeper, 'id' | 'title' | 'purpose' | 'keeperType' | 'keeperTypeId' | 'memoryPattern'>>

/** A keeper that somebody made, through the real door: a journal with the SOLE pattern unless told. */
export async function keeperOf(actor: Actor, given: Given = {}): Promise<Keeper> {
  const words = { title: 'The Harbour Year', purpose: 'Keep what the harbour says.', keeperType: 'journal' }
  const { status, data, text } = await actor.call(keepers.create, {
    body: { ...words, memoryPattern: 'sole', ...given },
  })
  if (status !== 200) throw new Error(`A keeper could not be made: ${text}`)
  return data
}
