import type { Person } from '#server/accounts/person.ts'
import type { Services } from '#server/services.ts'
import { binEntry } from '../entries/bin-entry.ts'
import { requireTopicFor } from './require-topic.ts'

export async function removeTopic(services: Services, person: Person, id: string): Promise<void> {
  await requireTopicFor(services, person, id)
  await binEntry(services, person, 'topic', id)
}
