import type { Selectable } from 'kysely'
import type { SoleVersion } from '#contract/keepers/sole.ts'
import type { Schema } from '#server/db/schema.ts'
import { formatPosition, parseCursor } from '#server/http/pages.ts'
import { Reply } from '#server/http/serve-area.ts'
import type { Services } from '#server/services.ts'
import { toIsoTimeOrNull } from '#server/values/iso-time.ts'
import type { KeeperRow } from '../keeper-access.ts'
import { toSoleDocument } from '../keeper-view.ts'
import { resolveVersions } from './settled-versions.ts'

export type SoleRow = Selectable<Schema['sole_versions']>

const maxVersions = 1000
const batchSize = 50
/** Characters: 300 versions of a 20-page story. */
const maxPageLength = 16_000_000

export function findVersion(
  { db }: Services,
  keeperId: string,
  status: 'draft' | 'active',
): Promise<SoleRow | undefined> {
  return db
    .selectFrom('sole_versions')
    .selectAll()
    .where('keeper_id', '=', keeperId)
    .where('status', '=', status)
    .executeTakeFirst()
}

/** Newest first. @throws Problem 400 for an invalid cursor */
export async function listVersions(
  services: Services,
  keeper: Pick<KeeperRow, 'id'>,
  cursor?: string,
): Promise<Reply<SoleVersion[]>> {
  const rows: SoleRow[] = []
  let [oldestVersion] = parseCursor(cursor, [0]) ?? []
  let totalLength = 0
  let isComplete = false
  while (!isComplete && totalLength < maxPageLength && rows.length < maxVersions) {
    let query = services.db.selectFrom('sole_versions').selectAll().where('keeper_id', '=', keeper.id)
    if (oldestVersion !== undefined) query = query.where('version', '<', oldestVersion)
    const batch = await query.orderBy('version', 'desc').limit(batchSize).execute()
    rows.push(...(await resolveVersions(services, keeper.id, batch)))
    totalLength += rows
      .slice(-batch.length)
      .reduce((total, row) => total + row.content.length + JSON.stringify(row.statements).length, 0)
    oldestVersion = batch.at(-1)?.version
    isComplete = batch.length < batchSize
  }
  const next_cursor = isComplete || oldestVersion === undefined ? null : formatPosition([oldestVersion])
  return new Reply(await toSoleVersions(services, rows), { extra: { next_cursor } })
}

export async function toSoleVersion(services: Services, row: SoleRow): Promise<SoleVersion> {
  const [view] = await toSoleVersions(services, [row])
  if (!view) throw new Error('A version has no view')
  return view
}

export async function toSoleVersions({ db }: Services, rows: readonly SoleRow[]): Promise<SoleVersion[]> {
  const deciderIds = [...new Set(rows.flatMap(({ decided_by }) => decided_by ?? []))]
  const people =
    deciderIds.length > 0
      ? await db.selectFrom('people').select(['id', 'name']).where('id', 'in', deciderIds).execute()
      : []
  return rows.map((row) => ({
    ...toSoleDocument(row),
    keeperId: row.keeper_id,
    status: row.status,
    authorKind: row.author_kind,
    runId: row.run_id,
    basedOn: row.based_on,
    submittedAt: new Date(row.submitted_at).toISOString(),
    decidedBy: row.decided_by
      ? { id: row.decided_by, name: people.find(({ id }) => id === row.decided_by)?.name ?? null }
      : null,
    decidedAt: toIsoTimeOrNull(row.decided_at),
    reason: row.reason,
    leftOut: row.left_out,
  }))
}
