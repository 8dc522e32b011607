import type { VersionOrigin } from '#contract/agents/versions.ts'
import { type Database, type JsonText, json, preparedQuery, type Write } from '#server/db/database.ts'
import type { Services } from '#server/services.ts'
import type { AgentRow } from '../agent-row.ts'
import { snapshotOf } from './agent-snapshot.ts'
import type { StoredSnapshot } from './stored-snapshots.ts'

export interface VersionMade {
  authorId: string | null
  origin: VersionOrigin
  restoredRev?: number
  goldenRunId?: string | null
}

type VersionColumns = {
  agent_id: string
  rev: number
  author_id: string | null
  origin: VersionOrigin
  restored_rev: number | null
  golden_run_id: string | null
  snapshot: JsonText<StoredSnapshot>
  created_at: number
}

const insert = preparedQuery<VersionColumns>()((db, row) => insertOf(db, row))
const insertIfMissing = preparedQuery<VersionColumns>()((db, row) =>
  insertOf(db, row).onConflict((conflict) => conflict.columns(['agent_id', 'rev']).doNothing()),
)

/** Lists every column because prepared queries can't spread their placeholders. */
function insertOf(db: Database, row: VersionColumns) {
  return db.insertInto('agent_versions').values({
    agent_id: row.agent_id,
    rev: row.rev,
    author_id: row.author_id,
    origin: row.origin,
    restored_rev: row.restored_rev,
    golden_run_id: row.golden_run_id,
    snapshot: row.snapshot,
    created_at: row.created_at,
  })
}

export function versionInsert(
  { db }: Services,
  row: AgentRow,
  made: VersionMade,
  snapshot: StoredSnapshot = snapshotOf(row),
): Write {
  return insert.with(db, rowOf(row, made, snapshot))
}

/** A new agent is its own first version, which is written before its first change. */
export function versionInsertIfMissing({ db }: Services, row: AgentRow): Write {
  return insertIfMissing.with(db, rowOf(row, firstMade(row), snapshotOf(row)))
}

/** Origin of an agent without stored versions; a later revision dates from before versions existed. */
function firstMade(row: AgentRow): VersionMade {
  return { authorId: row.owner_id, origin: row.rev === 1 ? 'created' : 'saved' }
}

export function firstVersionOf(row: AgentRow) {
  return {
    rev: row.rev,
    origin: firstMade(row).origin,
    restored_rev: null,
    snapshot: snapshotOf(row),
    created_at: row.updated_at,
  }
}

function rowOf(row: AgentRow, made: VersionMade, snapshot: StoredSnapshot): VersionColumns {
  return {
    agent_id: row.id,
    rev: row.rev,
    author_id: made.authorId,
    origin: made.origin,
    restored_rev: made.restoredRev ?? null,
    golden_run_id: made.goldenRunId ?? null,
    snapshot: json(snapshot),
    created_at: row.updated_at,
  }
}
