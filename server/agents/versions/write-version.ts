import type { VersionOrigin } from '#contract/agents/versions.ts'
import { json, preparedInsert, type Write } from '#server/db/database.ts'
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

const insertVersion = preparedInsert('agent_versions')
const insertVersionIfMissing = preparedInsert('agent_versions', ['agent_id', 'rev'])

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

function toVersionRow(row: AgentRow, info: VersionInfo, snapshot: StoredSnapshot) {
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
