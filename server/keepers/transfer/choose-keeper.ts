import type { ImportJob } from '#contract/keepers/transfer.ts'
import type { Person } from '#server/accounts/person.ts'
import { Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { requireKeeperFor } from '../keeper-access.ts'
import { carryOutImport } from './carry-out-import.ts'
import { type ImportRow, importView, moveImport, requireImportFor } from './import-jobs.ts'

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
  if (!chosen) throw new Problem('conflict', { message: whyNot(await requireImportFor(services, person, jobId)) })
  void carryOutImport(services, jobId)
  return importView(await requireImportFor(services, person, jobId))
}

function whyNot({ kind, state, done }: ImportRow): string {
  if (kind !== 'day-one') return 'An archive of Keeper brings its own keepers. Begin it as it is.'
  if (state === 'done' || state === 'cancelled')
    return 'This import is over. Upload the archive again to bring it into another keeper.'
  if (state === 'running' || done > 0)
    return 'Some of this import is in its keeper already. Cancel it and upload the archive again to bring it into another one.'
  return 'This archive is still being looked at. Wait a moment, then choose again.'
}
