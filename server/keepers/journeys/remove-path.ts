import type { Person } from '#server/accounts/person.ts'
import type { Services } from '#server/services.ts'
import { trashEntry } from '../entries/trash-entry.ts'
import { requirePathFor } from './require-path.ts'

export async function removePath(services: Services, person: Person, id: string): Promise<void> {
  await requirePathFor(services, person, id)
  await trashEntry(services, person, 'path', id)
}
