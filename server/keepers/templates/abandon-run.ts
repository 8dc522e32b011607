import type { Person } from '#server/accounts/person.ts'
import { Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { publishKeeperChanged } from '../entries/publish-keeper-changed.ts'
import { requireRunFor } from './find-run.ts'

/** Moves an unfinished run to the trash. @throws Problem 404; 409 when it is finished */
export async function abandonRun(services: Services, person: Person, id: string): Promise<void> {
  const { row } = await requireRunFor(services, person, id)
  const { numUpdatedRows } = await services.db
    .updateTable('template_runs')
    .set({ deleted_at: services.now().getTime() })
    .where('id', '=', row.id)
    .where('owner_id', '=', person.id)
    .where('finished_at', 'is', null)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (numUpdatedRows === 0n)
    throw new Problem('conflict', {
      message: 'This template is already finished. To remove the entry it created, delete it in the keeper.',
    })
  publishKeeperChanged(services, row.owner_id, row.keeper_id, 'keeper')
}
