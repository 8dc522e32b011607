import type { Reflection } from '#contract/keepers/reflections.ts'
import type { Person } from '#server/accounts/person.ts'
import type { Services } from '#server/services.ts'
import { publishKeeperChanged } from '../entries/publish-keeper-changed.ts'
import { requireEntryFor } from '../entries/require-entry.ts'
import { toReflectionWithCard } from './reflection-view.ts'
import { createPromotedProblem } from './save-reflection.ts'

/** Keeps the revision, so that a concurrent edit stays valid. @throws Problem 404; 409 when it is promoted */
export async function setResting(
  services: Services,
  person: Person,
  id: string,
  isResting: boolean,
): Promise<Reflection> {
  const row = await requireEntryFor(services, person, 'reflection', id)
  if (row.promoted_at !== null) throw createPromotedProblem()
  await services.db
    .updateTable('reflections')
    .set({ rested_at: isResting ? (row.rested_at ?? services.now().getTime()) : null })
    .where('id', '=', row.id)
    .where('owner_id', '=', person.id)
    .where('deleted_at', 'is', null)
    .execute()
  publishKeeperChanged(services, row.owner_id, row.keeper_id, 'reflection')
  return toReflectionWithCard(services, await requireEntryFor(services, person, 'reflection', id))
}
