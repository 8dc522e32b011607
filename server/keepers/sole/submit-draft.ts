import type { Person } from '#server/accounts/person.ts'
import { json } from '#server/db/database.ts'
import { UniqueViolation } from '#server/db/database-errors.ts'
import { Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { publishKeeperChanged } from '../entries/publish-keeper-changed.ts'
import type { KeeperRow } from '../keeper-access.ts'
import { type CheckedDraft, checkDraft, type NewDraft } from './check-draft.ts'
import { requireSolePattern } from './sole-access.ts'
import { findVersion, type SoleRow } from './sole-rows.ts'

export type DraftAuthor =
  | { kind: 'person'; id: string; name: string; runId: null }
  | { kind: 'agent'; id: string; name: string; runId: string }

export const toPersonAuthor = (person: Person): DraftAuthor => ({
  kind: 'person',
  id: person.id,
  name: person.name || person.nickname || person.email,
  runId: null,
})

/** Submits a draft for a person's decision. @throws Problem 409 with a pending draft; 422 see {@link checkDraft} */
export async function submitDraft(
  services: Services,
  keeper: KeeperRow,
  input: NewDraft,
  author: DraftAuthor,
): Promise<SoleRow> {
  await requireSolePattern(services, keeper)
  await requireNoDraft(services, keeper)
  const draft = await checkDraft(services, keeper, input, author.kind)
  const row = await insertDraft(services, keeper, draft, author)
  publishKeeperChanged(services, keeper.owner_id, keeper.id, 'sole')
  return row
}

/** @throws Problem 409 */
export async function requireNoDraft(services: Services, keeper: Pick<KeeperRow, 'id'>): Promise<void> {
  if (await findVersion(services, keeper.id, 'draft')) throw createPendingProblem()
}

function createPendingProblem(): Problem {
  return new Problem('conflict', { message: 'A draft is already waiting. Approve or reject it first.' })
}

async function insertDraft(
  services: Services,
  keeper: KeeperRow,
  { type, content, statements, basedOn }: CheckedDraft,
  author: DraftAuthor,
): Promise<SoleRow> {
  const id = services.newId()
  const submitted_at = services.now().getTime()
  try {
    return await services.db.inTransaction(async (tx) => {
      const latest = await tx
        .selectFrom('sole_versions')
        .select(({ fn }) => fn.max('version').as('last'))
        .where('keeper_id', '=', keeper.id)
        .executeTakeFirst()
      const active = await tx
        .selectFrom('sole_versions')
        .select('version')
        .where('keeper_id', '=', keeper.id)
        .where('status', '=', 'active')
        .executeTakeFirst()
      if ((active?.version ?? null) !== basedOn)
        throw new Problem('conflict', {
          message: 'The active version changed while the draft was being checked. Submit it again.',
        })
      return tx
        .insertInto('sole_versions')
        .values({
          id,
          keeper_id: keeper.id,
          owner_id: keeper.owner_id,
          version: Number(latest?.last ?? 0) + 1,
          status: 'draft',
          type,
          content,
          statements: json(statements),
          author_kind: author.kind,
          author_id: author.id,
          author_name: author.name,
          run_id: author.runId,
          based_on: basedOn,
          submitted_at,
          decided_by: null,
          decided_at: null,
          reason: null,
        })
        .returningAll()
        .executeTakeFirstOrThrow()
    })
  } catch (error) {
    if (error instanceof UniqueViolation) throw createPendingProblem()
    throw error
  }
}
