import type { Selectable } from 'kysely'
import type { SoleVersion } from '#contract/keepers/sole.ts'
import type { Schema } from '#server/db/schema.ts'
import { isoTimeOrNull } from '#server/iso-time.ts'
import type { Services } from '#server/services.ts'
import type { KeeperRow } from '../keeper-access.ts'
import { soleDocumentView } from '../keeper-view.ts'

export type SoleRow = Selectable<Schema['sole_versions']>

/** How many versions a keeper shows: a draft a day for three years. */
const mostVersions = 1000
const versionsAtOnce = 50
/** Characters; a story of 20 pages makes 300 versions of it. */
const longestList = 16_000_000

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

export async function listVersions(services: Services, keeper: Pick<KeeperRow, 'id'>): Promise<SoleVersion[]> {
  const rows: SoleRow[] = []
  let length = 0
  for (;;) {
    const oldest = rows.at(-1)
    let query = services.db.selectFrom('sole_versions').selectAll().where('keeper_id', '=', keeper.id)
    if (oldest) query = query.where('version', '<', oldest.version)
    const more = await query.orderBy('version', 'desc').limit(versionsAtOnce).execute()
    rows.push(...more)
    length += more.reduce((sum, row) => sum + row.content.length + JSON.stringify(row.statements).length, 0)
    if (more.length < versionsAtOnce || length >= longestList || rows.length >= mostVersions) break
  }
  return versionViews(services, rows)
}

export async function versionView(services: Services, row: SoleRow): Promise<SoleVersion> {
  const [view] = await versionViews(services, [row])
  if (!view) throw new Error('A version has no view')
  return view
}

export async function versionViews({ db }: Services, rows: readonly SoleRow[]): Promise<SoleVersion[]> {
  const deciders = [...new Set(rows.flatMap(({ decided_by }) => decided_by ?? []))]
  const people =
    deciders.length > 0
      ? await db.selectFrom('people').select(['id', 'name']).where('id', 'in', deciders).execute()
      : []
  return rows.map((row) => ({
    ...soleDocumentView(row),
    keeperId: row.keeper_id,
    status: row.status,
    authorKind: row.author_kind,
    runId: row.run_id,
    basedOn: row.based_on,
    submittedAt: new Date(row.submitted_at).toISOString(),
    decidedBy: row.decided_by
      ? { id: row.decided_by, name: people.find(({ id }) => id === row.decided_by)?.name ?? null }
      : null,
    decidedAt: isoTimeOrNull(row.decided_at),
    reason: row.reason,
    leftOut: row.left_out,
  }))
}
