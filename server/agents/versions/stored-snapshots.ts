import { isDeepStrictEqual } from 'node:util'
import type { AgentSnapshot } from '#contract/agents/versions.ts'
import type { Services } from '#server/services.ts'

/** A snapshot without the long fields that an earlier version stores; `$in` maps each of them to the revision that stores it. */
export type StoredSnapshot = Partial<AgentSnapshot> & { $in?: Record<string, number> }

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
    const rev = isLong ? revs.find((rev) => isDeepStrictEqual(getFieldValue(allRows, rev, field), value)) : undefined
    if (rev === undefined) stored[field] = value
    else sources[field] = rows.get(rev)?.$in?.[field] ?? rev
  }
  return { ...stored, ...(Object.keys(sources).length > 0 && { $in: sources }) }
}

export async function resolveSnapshots<R extends { rev: number; snapshot: StoredSnapshot }>(
  services: Pick<Services, 'db'>,
  agentId: string,
  rows: readonly R[],
): Promise<(Omit<R, 'snapshot'> & { snapshot: Partial<AgentSnapshot> })[]> {
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
