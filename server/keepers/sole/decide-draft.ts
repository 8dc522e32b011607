import type { Updateable } from 'kysely'
import { applyApproval, getChangedStatements } from '#contract/keepers/sole-statements.ts'
import type { Person } from '#server/accounts/person.ts'
import { json, requireChanges, type Write } from '#server/db/database.ts'
import { replaceError, UnexpectedChanges, UniqueViolation } from '#server/db/database-errors.ts'
import type { Schema } from '#server/db/schema.ts'
import { Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { publishKeeperChanged } from '../entries/publish-keeper-changed.ts'
import type { KeeperRow } from '../keeper-access.ts'
import type { MemoryConsent } from '../memory-checks/memory-check.ts'
import { toPendingSole } from '../memory-checks/pending-memory.ts'
import { toContent } from './check-draft.ts'
import { createNoDraftProblem, requireSolePattern } from './sole-access.ts'
import { createSettledColumns, findVersion, type SoleRow } from './sole-rows.ts'

interface Approval {
  /** The draft the person saw; without it, the pending one. */
  version?: number | undefined
  /** Ids of the decidable statements to approve; without it, all. */
  statementIds?: string[] | undefined
  consent: Pick<MemoryConsent, 'requireConsent'>
}

/** Approves the draft, whole or in part. @throws Problem 409 when it differs or is missing; `answers-changed` */
export async function approveDraft(
  services: Services,
  person: Pick<Person, 'id'>,
  keeper: KeeperRow,
  { version, statementIds, consent }: Approval,
): Promise<void> {
  await requireSolePattern(services, keeper)
  const draft = await requireDraft(services, keeper, version)
  const active = await findVersion(services, keeper.id, 'active')
  // An imported draft can name a base although nothing is active: it was active on the other server.
  if (active && active.version !== draft.based_on) throw createBaseChangedProblem()
  const approvedIds = statementIds && validateChoice(draft, statementIds)
  const leftOut = getChangedStatements(draft.statements).filter(({ id }) => approvedIds && !approvedIds.has(id))
  const statements = applyApproval(draft.statements, active?.statements ?? [], approvedIds)
  const content = toContent(statements, draft.content)
  const approvedAt = services.now().getTime()
  await consent.requireConsent(
    await toPendingSole(services, person, keeper, { version: draft.version, approvedAt, statements }),
  )
  await applyDecision(services, keeper, [
    ...(active ? [createSupersedeWrite(services, active, { version: draft.version, statements, content })] : []),
    createStatusWrite(services, draft, {
      status: 'active',
      statements: json(statements),
      content,
      left_out: json(leftOut),
      decided_by: person.id,
      decided_at: services.now().getTime(),
    }),
  ])
}

/** @throws Problem 409 when the pending draft differs or is missing */
export async function rejectDraft(
  services: Services,
  person: Pick<Person, 'id'>,
  keeper: KeeperRow,
  { version, reason }: { version?: number | undefined; reason?: string | null | undefined },
): Promise<void> {
  await requireSolePattern(services, keeper)
  const draft = await requireDraft(services, keeper, version)
  const active = await findVersion(services, keeper.id, 'active')
  await applyDecision(services, keeper, [
    createStatusWrite(services, draft, {
      ...createSettledColumns(draft, active, { asKept: true }),
      status: 'rejected',
      reason: reason || null,
      decided_by: person.id,
      decided_at: services.now().getTime(),
    }),
  ])
}

/** All writes or none. @throws Problem from `createLateProblem` when someone else was faster */
export async function applyDecision(
  services: Services,
  keeper: KeeperRow,
  writes: Write[],
  createLateProblem: () => Problem = createNoDraftProblem,
): Promise<void> {
  await services.db
    .batch(writes)
    .catch(replaceError(UnexpectedChanges, createLateProblem))
    .catch(replaceError(UniqueViolation, createLateProblem))
  publishKeeperChanged(services, keeper.owner_id, keeper.id, 'sole')
}

export const createSupersedeWrite = (
  services: Services,
  active: SoleRow,
  next: Pick<SoleRow, 'version' | 'statements' | 'content'>,
): Write =>
  createStatusWrite(services, active, {
    ...createSettledColumns(active, next, { asKept: false }),
    status: 'superseded',
  })

const createStatusWrite = (
  { db }: Services,
  { id, status }: SoleRow,
  columns: Updateable<Schema['sole_versions']>,
): Write =>
  requireChanges(db.updateTable('sole_versions').set(columns).where('id', '=', id).where('status', '=', status))

async function requireDraft(services: Services, keeper: KeeperRow, version: number | undefined): Promise<SoleRow> {
  const draft = await findVersion(services, keeper.id, 'draft')
  if (!draft) throw createNoDraftProblem()
  if (version !== undefined && version !== draft.version)
    throw new Problem('conflict', {
      message: `Version ${version} isn’t the current draft; version ${draft.version} is. Reload and try again.`,
    })
  return draft
}

function createBaseChangedProblem(): Problem {
  return new Problem('conflict', {
    message: 'The active version has changed since this draft was made. Reject the draft and ask for a new one.',
  })
}

function validateChoice(draft: SoleRow, statementIds: string[]): Set<string> {
  const decidableIds = new Set(getChangedStatements(draft.statements).map(({ id }) => id))
  const existingIds = new Set(draft.statements.map(({ id }) => id))
  if (statementIds.some((id) => !existingIds.has(id)))
    throw new Problem('conflict', { message: 'One of the statements isn’t in this draft. Reload and try again.' })
  const chosenIds = new Set(statementIds.filter((id) => decidableIds.has(id)))
  if (chosenIds.size === 0)
    throw new Problem('unprocessable', { message: 'Approve at least one statement, or reject the draft.' })
  return chosenIds
}
