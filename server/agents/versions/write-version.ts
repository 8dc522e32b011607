import { isDeepStrictEqual } from 'node:util'
import { completeSettings } from '#contract/agents/model-settings.ts'
import { type AgentSnapshot, agentSnapshot, type VersionOrigin } from '#contract/agents/versions.ts'
import { json, prepareInsert, type Write } from '#server/db/database.ts'
import type { Services } from '#server/services.ts'
import { type AgentRow, toSnapshot } from '../agent-view.ts'

interface VersionInfo {
  authorId: string | null
  origin: VersionOrigin
  restoredRev?: number
  goldenRunId?: string | null
}

const insertVersion = prepareInsert('agent_versions')
const insertVersionIfMissing = prepareInsert('agent_versions', ['agent_id', 'rev'])

export function buildVersionInsert(
  { db }: Services,
  row: AgentRow,
  info: VersionInfo,
  snapshot: StoredSnapshot = toSnapshot(row),
): Write {
  return insertVersion.bind(db, toVersionRow(row, info, snapshot))
}

export function buildMissingVersionInsert({ db }: Services, row: AgentRow): Write {
  return insertVersionIfMissing.bind(db, toVersionRow(row, getFirstVersionInfo(row), toSnapshot(row)))
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

const defaultSnapshot: AgentSnapshot = {
  name: '',
  slug: '',
  purpose: '',
  agent_class: 'Standard',
  context_scope: 'user_input',
  memory_enabled: false,
  tools: [],
  permissions: [],
  config: {},
  status: 'ready',
  model_provider: 'openai',
  model_settings: completeSettings('openai', undefined),
  visibility: 'private',
  visitors_spend_owner_key: false,
  visitor_daily_usd: null,
}

/** Earlier releases stored versions without some fields, or with values that are refused today. */
export function readSnapshot(stored: Partial<AgentSnapshot>): AgentSnapshot {
  const entries = Object.entries(agentSnapshot.shape).map(([name, schema]) => {
    const field = name as keyof AgentSnapshot
    const parsed = schema.safeParse(stored[field])
    return [field, parsed.success ? parsed.data : defaultSnapshot[field]]
  })
  const snapshot = Object.fromEntries(entries) as AgentSnapshot
  const { model_settings: schema } = agentSnapshot.shape
  if (schema.safeParse(stored.model_settings).success) return snapshot
  const completed = schema.safeParse(completeSettings(snapshot.model_provider, stored.model_settings))
  return { ...snapshot, model_settings: completed.data ?? completeSettings(snapshot.model_provider, undefined) }
}

/** A snapshot without the long fields that an earlier version stores; `$in` maps each of them to the revision that stores it. */
type StoredSnapshot = Partial<AgentSnapshot> & { $in?: Record<string, number> }

const minLongFieldLength = 256

/** The result can refer to the row of `previous`, so the caller's batch must insert that row if it is missing. @param restoredRev a version whose content the save restores */
export async function toStoredSnapshot(
  services: Pick<Services, 'db'>,
  agentId: string,
  snapshot: AgentSnapshot,
  previous: { rev: number; snapshot: AgentSnapshot },
  restoredRev: number | undefined,
): Promise<StoredSnapshot> {
  const revs = [previous.rev, ...(restoredRev === undefined ? [] : [restoredRev])]
  const rows = await loadSnapshotRows(services, agentId, revs)
  if (!rows.has(previous.rev)) rows.set(previous.rev, previous.snapshot)
  const allRows = await addSourceRows(services, agentId, rows)
  const stored: Record<string, unknown> = {}
  const sources: Record<string, number> = {}
  for (const [field, value] of Object.entries(snapshot)) {
    const isLong = (JSON.stringify(value) ?? '').length >= minLongFieldLength
    const rev = isLong
      ? revs.find((earlierRev) => isDeepStrictEqual(getFieldValue(allRows, earlierRev, field), value))
      : undefined
    if (rev === undefined) stored[field] = value
    else sources[field] = rows.get(rev)?.$in?.[field] ?? rev
  }
  return { ...stored, ...(Object.keys(sources).length > 0 && { $in: sources }) }
}

export async function resolveSnapshots<Row extends { rev: number; snapshot: StoredSnapshot }>(
  services: Pick<Services, 'db'>,
  agentId: string,
  rows: readonly Row[],
): Promise<(Omit<Row, 'snapshot'> & { snapshot: Partial<AgentSnapshot> })[]> {
  const allRows = await addSourceRows(services, agentId, new Map(rows.map(({ rev, snapshot }) => [rev, snapshot])))
  return rows.map((row) => {
    const { $in: sources = {}, ...stored } = row.snapshot
    const sharedEntries = Object.keys(sources).map((field) => [field, getFieldValue(allRows, row.rev, field)])
    return { ...row, snapshot: { ...stored, ...Object.fromEntries(sharedEntries) } }
  })
}

type SnapshotRows = Map<number, StoredSnapshot>

function getFieldValue(rows: SnapshotRows, rev: number, field: string): unknown {
  const row: Record<string, unknown> | undefined = rows.get(rev)
  const sourceRev = rows.get(rev)?.$in?.[field]
  return sourceRev === undefined ? row?.[field] : (rows.get(sourceRev) as Record<string, unknown> | undefined)?.[field]
}

async function addSourceRows(
  services: Pick<Services, 'db'>,
  agentId: string,
  rows: SnapshotRows,
): Promise<SnapshotRows> {
  const sourceRevs = [...rows.values()].flatMap(({ $in = {} }) => Object.values($in)).filter((rev) => !rows.has(rev))
  return new Map([...rows, ...(await loadSnapshotRows(services, agentId, [...new Set(sourceRevs)]))])
}

async function loadSnapshotRows({ db }: Pick<Services, 'db'>, agentId: string, revs: number[]): Promise<SnapshotRows> {
  if (revs.length === 0) return new Map()
  const rows = await db
    .selectFrom('agent_versions')
    .select(['rev', 'snapshot'])
    .where('agent_id', '=', agentId)
    .where('rev', 'in', revs)
    .execute()
  return new Map(rows.map(({ rev, snapshot }) => [rev, snapshot]))
}
