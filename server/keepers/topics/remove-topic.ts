import type { Person } from '#server/accounts/person.ts'
import type { Services } from '#server/services.ts'
import { trashEntry } from '../entries/trash-entry.ts'
import { requireTopicFor } from './require-topic.ts'

export async function removeTopic(services: Services, person: Person, id: string): Promise<void> {
  await requireTopicFor(services, person, id)
  await trashEntry(services, person, 'topic', id)
}
