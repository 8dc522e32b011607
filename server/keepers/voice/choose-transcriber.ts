import type { Person } from '#server/accounts/person.ts'
import { type ChosenKey, chooseKey } from '#server/keys/choose-key.ts'
import { type Transcriber, transcriptionModels } from '#server/models/transcribe.ts'
import type { Services } from '#server/services.ts'

export interface ChosenTranscriber {
  provider: Transcriber
  model: string
  key: ChosenKey
}

const inOrder = ['openai', 'together'] as const satisfies Transcriber[]

/**
 * Who writes recordings down for this person: a provider they have a key of their own for, else one this server has a
 * key for. Undefined without any. A key of theirs that fails is never replaced by another.
 */
export async function chooseTranscriber(
  services: Services,
  person: Pick<Person, 'id'>,
): Promise<ChosenTranscriber | undefined> {
  const nobodys = { owner_id: null, visitors_spend_owner_key: false }
  const offered = await Promise.all(
    inOrder.map(async (provider) => ({
      provider,
      model: transcriptionModels[provider],
      key: await chooseKey(services, { personId: person.id, agent: nobodys }, provider),
    })),
  )
  const from = (source: ChosenKey['source']) => offered.find(({ key }) => key.source === source)
  return from('personal') ?? from('platform')
}
