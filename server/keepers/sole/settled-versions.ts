import type { SoleStatement } from '#contract/keepers/sole.ts'
import { type JsonText, json } from '#server/db/database.ts'
import { applyDelta, diffJson, type JsonDelta } from '#server/db/json-delta.ts'
import type { Services } from '#server/services.ts'
import type { SoleRow } from './sole-versions.ts'

export interface VersionDifference {
  base: number
  /** The delta applies to the base with all its statements as `keep`, as a draft repeats them. */
  kept: boolean
  delta: JsonDelta | null
}

type StoryContent = Pick<SoleRow, 'statements' | 'content'>
type BaseVersion = StoryContent & { version: number }

export function createSettledColumns(
  row: StoryContent,
  base: BaseVersion | undefined,
  { asKept }: { asKept: boolean },
): { statements?: JsonText<SoleStatement[]>; content?: string; difference?: JsonText<VersionDifference> } {
  if (!base) return {}
  const delta = diffJson(toStory(base, asKept), toStory(row, false)) ?? null
  const difference = json({ base: base.version, kept: asKept, delta })
  if (difference.length * 2 > JSON.stringify(toStory(row, false)).length) return {}
  return { statements: json([]), content: '', difference }
}

function toStory({ statements, content }: StoryContent, asKept: boolean): StoryContent {
  if (!asKept) return { statements, content }
  return { statements: statements.map((statement) => ({ ...statement, kind: 'keep', replacesId: null })), content }
}

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
    for (let current: SoleRow = row; !story; ) {
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
  const result: R[] = []
  for (const row of rows) {
    const { statements, content } = await resolveStory(row)
    result.push({ ...row, statements, content })
  }
  return result
}
