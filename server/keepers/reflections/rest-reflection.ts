import type { Reflection } from '#contract/keepers/reflections.ts'
import type { Person } from '#server/accounts/person.ts'
import type { Services } from '#server/services.ts'
import { requireEntryFor } from '../entries/require-entry.ts'
import { tellKeeperChanged } from '../entries/tell-keeper-changed.ts'
import { reflectionWithCard } from './reflection-view.ts'
import { promoted } from './save-reflection.ts'

/** Keeps the revision, so that a concurrent edit stays valid. @throws Problem 404; 409 when it is promoted */
export async function restReflection(
  services: Services,
  person: Person,
  id: string,
  rest: boolean,
): Promise<Reflection> {
  const row = await requireEntryFor(services, person, 'reflection', id)
  if (row.promoted_at !== null) throw promoted()
  await services.db
    .updateTable('reflections')
    .set({ rested_at: rest ? (row.rested_at ?? services.now().getTime()) : null })
    .where('id', '=', row.id)
    .where('owner_id', '=', person.id)
    .where('deleted_at', 'is', null)
    .execute()
  tellKeeperChanged(services, row.owner_id, row.keeper_id, 'reflection')
  return reflectionWithCard(services, await requireEntryFor(services, person, 'reflection', id))
}
