import { applyDelta } from '#server/db/json-delta.ts'
import type { Services } from '#server/services.ts'
import {
  type ApprovedSole,
  getApprovedSole,
  type SoleRow,
  type StoryContent,
  toApprovedSole,
  toStory,
  type VersionDifference,
} from './sole-rows.ts'

const versionsPerQuery = 50

export async function resolveVersions<R extends SoleRow>(
  { db }: Pick<Services, 'db'>,
  keeperId: string,
  rows: readonly R[],
): Promise<R[]> {
  const rowByVersion = new Map<number, SoleRow>(rows.map((row) => [row.version, row]))
  const storyByVersion = new Map<number, StoryContent>()
  const resolveStory = async (row: SoleRow): Promise<StoryContent> => {
    const chain: SoleRow[] = []
    let story: StoryContent | undefined
    let current: SoleRow = row
    while (!story) {
      story = storyByVersion.get(current.version) ?? (current.difference ? undefined : current)
      if (story) break
      chain.push(current)
      current = await loadVersion(current.difference?.base ?? 0)
    }
    for (const settledRow of chain.toReversed()) {
      const { kept: asKept, delta } = settledRow.difference as VersionDifference
      story = applyDelta(toStory(story, asKept), delta ?? undefined) as StoryContent
      storyByVersion.set(settledRow.version, story)
    }
    return story
  }
  const loadVersion = async (version: number): Promise<SoleRow> => {
    if (!rowByVersion.has(version)) {
      const laterRows = await db
        .selectFrom('sole_versions')
        .selectAll()
        .where('keeper_id', '=', keeperId)
        .where('version', '>=', version)
        .orderBy('version')
        .limit(versionsPerQuery)
        .execute()
      for (const loadedRow of laterRows) rowByVersion.set(loadedRow.version, loadedRow)
    }
    const loadedRow = rowByVersion.get(version)
    if (!loadedRow) throw new Error(`Version ${version} of a SOLE is missing, which other versions depend on`)
    return loadedRow
  }
  const resolvedRows: R[] = []
  for (const row of rows) {
    const { statements, content } = await resolveStory(row)
    resolvedRows.push({ ...row, statements, content })
  }
  return resolvedRows
}

/** The version that was approved last before `instant`, if the keeper still has a story. */
export async function getSoleBefore(
  services: Services,
  keeperId: string,
  instant: number,
): Promise<ApprovedSole | null> {
  if ((await getApprovedSole(services, keeperId)) === null) return null
  const row = await services.db
    .selectFrom('sole_versions')
    .selectAll()
    .where('keeper_id', '=', keeperId)
    .where('status', 'in', ['active', 'superseded'])
    .where(({ fn }) => fn.coalesce('decided_at', 'submitted_at'), '<', instant)
    .orderBy('version', 'desc')
    .limit(1)
    .executeTakeFirst()
  const [version] = row ? await resolveVersions(services, keeperId, [row]) : []
  return version ? toApprovedSole(version) : null
}
