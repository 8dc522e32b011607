import type { ImportJob } from '#contract/keepers/transfer.ts'
import type { Person } from '#server/accounts/person.ts'
import { badField, Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { requireKeeperFor } from '../keeper-access.ts'
import { carryOutImport } from './carry-out-import.ts'
import { importView, moveImport, requireImportFor } from './import-jobs.ts'

/**
 * Begins an import that was looked at, or goes on with one that failed.
 * @throws Problem 404; 400 when Day One is to go into no keeper; 409 when it runs or is over
 */
export async function beginImport(
  services: Services,
  person: Person,
  jobId: string,
  keeperId: string | undefined,
): Promise<ImportJob> {
  const row = await requireImportFor(services, person, jobId)
  const into = keeperId === undefined ? row.keeper_id : (await requireKeeperFor(services, person, keeperId)).id
  if (row.kind === 'day-one' && into === null) throw badField('keeperId', 'Choose the keeper it goes into.')
  // What came in stays where it is; the rest goes there too.
  const keeper_id = row.kind === 'day-one' && row.done === 0 ? into : row.keeper_id
  const begun = await moveImport(services, row, ['previewed', 'failed'], {
    state: 'running',
    error: null,
    keeper_id,
    lease_until: services.now().getTime(),
  })
  if (!begun) throw new Problem('conflict', { message: words[row.state] ?? 'This import cannot be begun now.' })
  void carryOutImport(services, jobId)
  return importView(await requireImportFor(services, person, jobId))
}

const words: Partial<Record<ImportJob['state'], string>> = {
  uploaded: 'This archive is still being looked at. Wait a moment.',
  reading: 'This archive is still being looked at. Wait a moment.',
  running: 'This import is under way already.',
  done: 'This import is done. Upload the archive again to import it once more.',
  cancelled: 'This import was cancelled, and its file is gone. Upload it again.',
}
