import { readdir, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { dayMs } from '#server/hours-and-days.ts'
import type { Services } from '#server/services.ts'
import { carryOutImport, isUnderWay } from './carry-out-import.ts'
import { importPath, moveImport } from './import-jobs.ts'

/** A preview that nobody imports is deleted after this time. */
const keptMs = 7 * dayMs
const comesWithinMs = dayMs

/** Resumes abandoned imports, cancels forgotten ones, and deletes files without a job. */
export async function sweepImports(services: Services): Promise<void> {
  const { db, now } = services
  const at = now().getTime()
  const abandoned = await db
    .selectFrom('import_jobs')
    .select('id')
    .where('state', 'in', ['uploaded', 'reading', 'running'])
    .where('lease_until', '<', at)
    .execute()
  for (const { id } of abandoned) if (!isUnderWay(id)) void carryOutImport(services, id)
  const forgotten = await db
    .selectFrom('import_jobs')
    .select(['id', 'owner_id'])
    .where('state', 'in', ['previewed', 'failed'])
    .where('updated_at', '<', at - keptMs)
    .execute()
  for (const row of forgotten) await moveImport(services, row, ['previewed', 'failed'], { state: 'cancelled' })
  await deleteFilesWithoutJob(services)
}

async function deleteFilesWithoutJob(services: Services): Promise<void> {
  const folder = dirname(importPath(services, 'x'))
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  const ids = names.flatMap((name) => /^([0-9a-f]{32})\.zip$/.exec(name)?.[1] ?? [])
  if (ids.length === 0) return
  const wanted = await services.db.selectFrom('import_jobs').select(['id', 'state']).where('id', 'in', ids).execute()
  const over = wanted.filter(({ state }) => state === 'done' || state === 'cancelled').map(({ id }) => id)
  // An upload has no row until it is complete. After a day its account must have been deleted.
  const before = services.now().getTime() - comesWithinMs
  for (const id of ids.filter((each) => !wanted.some((row) => row.id === each))) {
    const found = await stat(join(folder, `${id}.zip`)).catch(() => undefined)
    if (found && found.mtimeMs < before) over.push(id)
  }
  for (const id of over) await rm(join(folder, `${id}.zip`), { force: true })
}
