import type { SoleStatement } from '#contract/keepers/sole.ts'
import { type JsonText, json } from '#server/db/database.ts'
import { applyDelta, deltaBetween, type JsonDelta } from '#server/json-delta.ts'
import type { Services } from '#server/services.ts'
import type { SoleRow } from './sole-versions.ts'

/** The difference of a settled version from version `base`. */
export interface VersionDifference {
  base: number
  /** The base statements all have the kind `keep`, as in a draft. */
  kept: boolean
  delta: JsonDelta | null
}

type Story = Pick<SoleRow, 'statements' | 'content'>
type BaseVersion = Story & { version: number }

/** Columns of a settled version; stored as a difference where that saves at least half. */
export function settledColumns(
  row: Story,
  base: BaseVersion | undefined,
  { kept }: { kept: boolean },
): { statements?: JsonText<SoleStatement[]>; content?: string; difference?: JsonText<VersionDifference> } {
  if (!base) return {}
  const delta = deltaBetween(storyOf(base, kept), storyOf(row, false)) ?? null
  const difference = json({ base: base.version, kept, delta })
  if (difference.length * 2 > JSON.stringify(storyOf(row, false)).length) return {}
  return { statements: json([]), content: '', difference }
}

function storyOf({ statements, content }: Story, kept: boolean): Story {
  if (!kept) return { statements, content }
  return { statements: statements.map((statement) => ({ ...statement, kind: 'keep', replacesId: null })), content }
}

const versionsPerQuery = 50

/** Restores versions from their differences. */
export async function wholeVersions<R extends SoleRow>(
  { db }: Pick<Services, 'db'>,
  keeperId: string,
  rows: readonly R[],
): Promise<R[]> {
  const read = new Map<number, SoleRow>(rows.map((row) => [row.version, row]))
  const whole = new Map<number, Story>()
  const resolve = async (row: SoleRow): Promise<Story> => {
    const path: SoleRow[] = []
    let story: Story | undefined
    for (let next: SoleRow = row; !story; ) {
      story = whole.get(next.version) ?? (next.difference ? undefined : next)
      if (story) break
      path.push(next)
      next = await readVersion(next.difference?.base ?? 0)
    }
    for (const settled of path.toReversed()) {
      const { kept, delta } = settled.difference as VersionDifference
      story = applyDelta(storyOf(story, kept), delta ?? undefined) as Story
      whole.set(settled.version, story)
    }
    return story
  }
  const readVersion = async (version: number): Promise<SoleRow> => {
    if (!read.has(version)) {
      // A superseded version is based on a later one.
      const more = await db
        .selectFrom('sole_versions')
        .selectAll()
        .where('keeper_id', '=', keeperId)
        .where('version', '>=', version)
        .orderBy('version')
        .limit(versionsPerQuery)
        .execute()
      for (const found of more) read.set(found.version, found)
    }
    const found = read.get(version)
    if (!found) throw new Error(`Version ${version} of a SOLE is missing, which other versions depend on`)
    return found
  }
  const result: R[] = []
  for (const row of rows) {
    const { statements, content } = await resolve(row)
    result.push({ ...row, statements, content })
  }
  return result
}
