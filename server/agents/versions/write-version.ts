import type { VersionOrigin } from '#contract/agents/versions.ts'
import { json } from '#server/db/database.ts'
import type { Services } from '#server/services.ts'
import type { AgentRow } from '../agent-row.ts'
import { snapshotOf } from './agent-snapshot.ts'

export interface VersionMade {
  /** `null`: Keeper itself. */
  authorId: string | null
  origin: VersionOrigin
  restoredRev?: number
  goldenRunId?: string | null
}

/** The insert that goes into the batch of every save: the agent as it is from now on. */
export function versionInsert(services: Services, row: AgentRow, made: VersionMade) {
  return services.db.insertInto('agent_versions').values({
    agent_id: row.id,
    rev: row.rev,
    author_id: made.authorId,
    origin: made.origin,
    restored_rev: made.restoredRev ?? null,
    golden_run_id: made.goldenRunId ?? null,
    snapshot: json(snapshotOf(row)),
    created_at: row.updated_at,
  })
}

/** An agent from before there were versions gets its present state written down with its first change. */
export function versionInsertIfMissing(services: Services, row: AgentRow) {
  return versionInsert(services, row, {
    authorId: row.owner_id,
    origin: row.rev === 1 ? 'created' : 'saved',
  }).onConflict((conflict) => conflict.columns(['agent_id', 'rev']).doNothing())
}
