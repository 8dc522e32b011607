import { join } from 'node:path'
import type { Selectable, Updateable } from 'kysely'
import type { Schema } from '#server/db/schema.ts'
import type { Services } from '#server/services.ts'

/** The job isn't in the expected state, because the person stopped it. */
export class ImportStopped extends Error {}

/** A running job renews its lease. After it expires, the job counts as abandoned and any process can resume it. */
export const importLeaseMs = 30_000

export const getImportFolder = ({ settings }: Services): string => join(settings.dataDir, 'imports')

export const getImportPath = (services: Services, jobId: string): string =>
  join(getImportFolder(services), `${jobId}.zip`)

export async function updateImportState(
  services: Services,
  row: Pick<ImportRow, 'id' | 'owner_id'>,
  fromStates: readonly ImportRow['state'][],
  change: Updateable<Schema['import_jobs']>,
): Promise<boolean> {
  const result = await services.db
    .updateTable('import_jobs')
    .set({ ...change, updated_at: services.now().getTime() })
    .where('id', '=', row.id)
    .where('state', 'in', fromStates)
    .executeTakeFirst()
  services.live.publish(row.owner_id, { type: 'import-changed', jobId: row.id })
  return result.numUpdatedRows > 0n
}

export type ImportRow = Selectable<Schema['import_jobs']>
