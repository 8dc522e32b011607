import type { ImportJob } from '#contract/keepers/transfer.ts'
import type { Person } from '#server/accounts/person.ts'
import { Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { requireKeeperFor } from '../keeper-access.ts'
import { executeImport } from './execute-import.ts'
import { type ImportRow, requireImportFor, toImportJob, updateImportState } from './import-jobs.ts'

/** Previews again, as duplicates depend on the keeper.
 * @throws Problem 404; 409 when entries were imported, it is running or finished, or it is a Keeper archive */
export async function chooseKeeper(
  services: Services,
  person: Person,
  jobId: string,
  keeperId: string,
): Promise<ImportJob> {
  const row = await requireImportFor(services, person, jobId)
  const keeper = await requireKeeperFor(services, person, keeperId)
  const canChoose = row.kind !== 'keeper-zip' && row.done === 0
  const isChosen =
    canChoose &&
    (await updateImportState(services, row, ['previewed', 'failed'], {
      state: 'uploaded',
      error: null,
      keeper_id: keeper.id,
      lease_until: services.now().getTime(),
    }))
  if (!isChosen)
    throw new Problem('conflict', { message: explainRefusal(await requireImportFor(services, person, jobId)) })
  void executeImport(services, jobId)
  return toImportJob(await requireImportFor(services, person, jobId))
}

function explainRefusal({ kind, state, done }: ImportRow): string {
  if (kind === 'keeper-zip') return 'A Keeper archive contains its own keepers. Start the import without choosing one.'
  if (state === 'done' || state === 'cancelled')
    return 'This import is finished. Upload the archive again to import it into another keeper.'
  if (state === 'running' || done > 0)
    return 'Part of this import is already in its keeper. Cancel it and upload the archive again to choose another one.'
  return 'Keeper is still reading this archive. Wait a moment, then choose again.'
}
