import type { ImportJob } from '#contract/keepers/transfer.ts'
import type { Person } from '#server/accounts/person.ts'
import { Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { requireKeeperFor } from '../keeper-access.ts'
import { carryOutImport } from './carry-out-import.ts'
import { importView, moveImport, requireImportFor } from './import-jobs.ts'

/**
 * Says into which keeper the entries of Day One go, and looks at them again: what is there already shows only then.
 * @throws Problem 404; 409 when some of it came in already, when it runs or is over, and for an archive of Keeper
 */
export async function chooseKeeper(
  services: Services,
  person: Person,
  jobId: string,
  keeperId: string,
): Promise<ImportJob> {
  const row = await requireImportFor(services, person, jobId)
  const keeper = await requireKeeperFor(services, person, keeperId)
  const isOpen = row.kind === 'day-one' && row.done === 0
  const chosen =
    isOpen &&
    (await moveImport(services, row, ['previewed', 'failed'], {
      state: 'uploaded',
      error: null,
      keeper_id: keeper.id,
      lease_until: services.now().getTime(),
    }))
  if (!chosen) throw new Problem('conflict', { message: 'Where this import goes cannot be changed now.' })
  void carryOutImport(services, jobId)
  return importView(await requireImportFor(services, person, jobId))
}
