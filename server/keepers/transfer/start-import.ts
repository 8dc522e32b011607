import type { ImportJob } from '#contract/keepers/transfer.ts'
import type { Person } from '#server/accounts/person.ts'
import { badField, Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { requireKeeperFor } from '../keeper-access.ts'
import { executeImport } from './execute-import.ts'
import { requireImportFor, toImportJob, updateImportState } from './import-jobs.ts'

/**
 * Starts an import or resumes a failed one.
 * @throws Problem 404; 400 when Day One has no target keeper; 409 when running or done
 */
export async function startImport(
  services: Services,
  person: Person,
  jobId: string,
  keeperId: string | undefined,
): Promise<ImportJob> {
  const row = await requireImportFor(services, person, jobId)
  const targetKeeperId =
    keeperId === undefined ? row.keeper_id : (await requireKeeperFor(services, person, keeperId)).id
  if (row.kind !== 'keeper-zip' && targetKeeperId === null)
    throw badField('keeperId', 'Choose a keeper to import the journal into.')
  // A resumed import continues in the same keeper.
  const keeper_id = row.kind !== 'keeper-zip' && row.done === 0 ? targetKeeperId : row.keeper_id
  const isStarted = await updateImportState(services, row, ['previewed', 'failed'], {
    state: 'running',
    error: null,
    keeper_id,
    lease_until: services.now().getTime(),
  })
  if (!isStarted)
    throw new Problem('conflict', { message: refusalByState[row.state] ?? 'This import can’t be started right now.' })
  void executeImport(services, jobId)
  return toImportJob(await requireImportFor(services, person, jobId))
}

const refusalByState: Partial<Record<ImportJob['state'], string>> = {
  uploaded: 'Keeper is still reading this archive. Wait a moment.',
  reading: 'Keeper is still reading this archive. Wait a moment.',
  running: 'This import is already running.',
  done: 'This import is finished. Upload the archive again to import it once more.',
  cancelled: 'This import was canceled and its file deleted. Upload it again.',
}
