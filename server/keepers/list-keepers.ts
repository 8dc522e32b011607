import type { Keeper } from '#contract/keepers/keepers.ts'
import { sampleKeeperId } from '#contract/keepers/sample-keeper.ts'
import type { Person } from '#server/accounts/person.ts'
import type { Services } from '#server/services.ts'
import { keeperViews } from './keeper-view.ts'

const mostKeepers = 1000

/** One's own keepers that are not in the bin, oldest first; the sample keeper after all others. */
export async function listKeepers(services: Services, person: Pick<Person, 'id'>): Promise<Keeper[]> {
  const rows = await services.db
    .selectFrom('keepers')
    .selectAll()
    .where('owner_id', '=', person.id)
    .where('deleted_at', 'is', null)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(mostKeepers)
    .execute()
  const isSample = ({ id }: { id: string }) => Number(id === sampleKeeperId(person.id))
  return keeperViews(
    services,
    rows.reverse().sort((one, other) => isSample(one) - isSample(other)),
  )
}
