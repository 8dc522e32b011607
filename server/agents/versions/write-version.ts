import type { VersionOrigin } from '#contract/agents/versions.ts'
import { type Database, type JsonText, json, preparedQuery, type Write } from '#server/db/database.ts'
import type { Services } from '#server/services.ts'
import type { AgentRow } from '../agent-row.ts'
import { toSnapshot } from './agent-snapshot.ts'
import type { StoredSnapshot } from './stored-snapshots.ts'

export interface VersionInfo {
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

const insertVersion = preparedQuery<VersionColumns>()((db, row) => buildVersionRowInsert(db, row))
const insertVersionIfMissing = preparedQuery<VersionColumns>()((db, row) =>
  buildVersionRowInsert(db, row).onConflict((conflict) => conflict.columns(['agent_id', 'rev']).doNothing()),
)

function buildVersionRowInsert(db: Database, row: VersionColumns) {
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

export function buildVersionInsert(
  { db }: Services,
  row: AgentRow,
  info: VersionInfo,
  snapshot: StoredSnapshot = toSnapshot(row),
): Write {
  return insertVersion.with(db, toVersionRow(row, info, snapshot))
}

export function buildMissingVersionInsert({ db }: Services, row: AgentRow): Write {
  return insertVersionIfMissing.with(db, toVersionRow(row, getFirstVersionInfo(row), toSnapshot(row)))
}

/** Origin of an agent without stored versions; a later revision dates from before versions existed. */
function getFirstVersionInfo(row: AgentRow): VersionInfo {
  return { authorId: row.owner_id, origin: row.rev === 1 ? 'created' : 'saved' }
}

export function buildFirstVersion(row: AgentRow) {
  return {
    rev: row.rev,
    origin: getFirstVersionInfo(row).origin,
    restored_rev: null,
    snapshot: toSnapshot(row),
    created_at: row.updated_at,
  }
}

function toVersionRow(row: AgentRow, info: VersionInfo, snapshot: StoredSnapshot): VersionColumns {
  return {
    agent_id: row.id,
    rev: row.rev,
    author_id: info.authorId,
    origin: info.origin,
    restored_rev: info.restoredRev ?? null,
    golden_run_id: info.goldenRunId ?? null,
    snapshot: json(snapshot),
    created_at: row.updated_at,
  }
}
