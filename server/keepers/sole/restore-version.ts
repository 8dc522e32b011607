import type { Person } from '#server/accounts/person.ts'
import { json } from '#server/db/database.ts'
import { Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import type { KeeperRow } from '../keeper-access.ts'
import { toContent } from './check-draft.ts'
import { applyDecision, createSupersedeWrite } from './decide-draft.ts'
import { resolveVersions } from './settled-versions.ts'
import { requireSolePattern } from './sole-access.ts'
import { findVersion } from './sole-versions.ts'
import { requireNoDraft } from './submit-draft.ts'

/** As a new version, so that the history stays unchanged.
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
