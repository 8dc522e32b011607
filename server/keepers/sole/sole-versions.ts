import type { SoleVersion } from '#contract/keepers/sole.ts'
import type { Person } from '#server/accounts/person.ts'
import { json } from '#server/db/database.ts'
import { formatPosition, parseCursor } from '#server/http/pages.ts'
import { Problem } from '#server/http/problem.ts'
import { Reply } from '#server/http/serve-area.ts'
import type { Services } from '#server/services.ts'
import type { KeeperRow } from '../keeper-access.ts'
import { toContent } from './check-draft.ts'
import { applyDecision, createSupersedeWrite } from './decide-draft.ts'
import { resolveVersions } from './resolve-versions.ts'
import { requireSolePattern } from './sole-access.ts'
import { findVersion, type SoleRow, toSoleVersions } from './sole-rows.ts'
import { requireNoDraft } from './submit-draft.ts'

const maxVersions = 1000
const batchSize = 50
/** Characters: 300 versions of a 20-page story. */
const maxPageLength = 16_000_000

/** Newest first. @throws Problem 400 for an invalid cursor */
export async function listVersions(
  services: Services,
  keeper: Pick<KeeperRow, 'id'>,
  cursor?: string,
): Promise<Reply<SoleVersion[]>> {
  const rows: SoleRow[] = []
  let [oldestVersion] = parseCursor(cursor, ['number']) ?? []
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
  return (await toSoleVersions(services, [row]))[0] as SoleVersion
}

/** Restores an earlier version as a new one, so that the history stays unchanged.
 * @throws Problem 404; 409 when it is active or never approved, or while a draft is pending */
export async function restoreVersion(
  services: Services,
  person: Pick<Person, 'id'>,
  keeper: KeeperRow,
  version: number,
): Promise<void> {
  await requireSolePattern(services, keeper)
  await requireNoDraft(services, keeper)
  const { db } = services
  const versions = db.selectFrom('sole_versions').where('keeper_id', '=', keeper.id)
  const [storedRow, active, newestVersion] = await Promise.all([
    versions.selectAll().where('version', '=', version).executeTakeFirst(),
    findVersion(services, keeper.id, 'active'),
    versions.select('version').orderBy('version', 'desc').limit(1).executeTakeFirst(),
  ])
  const [restored] = storedRow ? await resolveVersions(services, keeper.id, [storedRow]) : []
  if (!restored) throw new Problem('not-found', { message: 'This version doesn’t exist.' })
  // A draft that was pending in an archive is imported as superseded, without a decision.
  if (restored.status !== 'superseded' || restored.decided_at === null)
    throw new Problem('conflict', {
      message:
        restored.status === 'active' ? 'This version is already active.' : 'Only approved versions can be restored.',
    })
  const statements = restored.statements.filter(({ kind }) => kind !== 'drop')
  const content = toContent(statements, restored.content)
  const next = { version: (newestVersion?.version ?? version) + 1, statements, content }
  const now = services.now().getTime()
  const writes = [
    ...(active ? [createSupersedeWrite(services, active, next)] : []),
    db.insertInto('sole_versions').values({
      id: services.newId(),
      keeper_id: keeper.id,
      owner_id: keeper.owner_id,
      version: next.version,
      status: 'active',
      type: restored.type,
      content,
      statements: json(statements),
      author_kind: restored.author_kind,
      author_id: restored.author_id,
      author_name: restored.author_name,
      run_id: restored.run_id,
      based_on: active?.version ?? null,
      submitted_at: now,
      decided_by: person.id,
      decided_at: now,
      reason: `Restored from version ${version}`,
    }),
  ]
  const createConflict = () =>
    new Problem('conflict', { message: 'The SOLE has changed since you opened it. Reload and try again.' })
  await applyDecision(services, keeper, writes, createConflict)
}
