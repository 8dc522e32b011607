import type { Selectable } from 'kysely'
import type { SoleVersion } from '#contract/keepers/sole.ts'
import type { Schema } from '#server/db/schema.ts'
import { cursorTo, placeIn } from '#server/http/pages.ts'
import { Reply } from '#server/http/serve-area.ts'
import { isoTimeOrNull } from '#server/iso-time.ts'
import type { Services } from '#server/services.ts'
import type { KeeperRow } from '../keeper-access.ts'
import { soleDocumentView } from '../keeper-view.ts'
import { wholeVersions } from './settled-versions.ts'

export type SoleRow = Selectable<Schema['sole_versions']>

/** A draft a day for three years. */
const mostAtOnce = 1000
const versionsAtOnce = 50
/** Characters: 300 versions of a 20-page story. */
const longestPage = 16_000_000

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
  let [oldest] = placeIn(cursor, [0]) ?? []
  let length = 0
  let isAll = false
  while (!isAll && length < longestPage && rows.length < mostAtOnce) {
    let query = services.db.selectFrom('sole_versions').selectAll().where('keeper_id', '=', keeper.id)
    if (oldest !== undefined) query = query.where('version', '<', oldest)
    const more = await query.orderBy('version', 'desc').limit(versionsAtOnce).execute()
    rows.push(...(await wholeVersions(services, keeper.id, more)))
    length += rows
      .slice(-more.length)
      .reduce((sum, row) => sum + row.content.length + JSON.stringify(row.statements).length, 0)
    oldest = more.at(-1)?.version
    isAll = more.length < versionsAtOnce
  }
  const next_cursor = isAll || oldest === undefined ? null : cursorTo([oldest])
  return new Reply(await versionViews(services, rows), { extra: { next_cursor } })
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
