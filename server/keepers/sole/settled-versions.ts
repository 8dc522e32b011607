import type { SoleStatement } from '#contract/keepers/sole.ts'
import { type JsonText, json } from '#server/db/database.ts'
import { applyDelta, deltaBetween, type JsonDelta } from '#server/json-delta.ts'
import type { Services } from '#server/services.ts'
import type { SoleRow } from './sole-versions.ts'

/** How a version that was rejected or superseded differs from the version `base`. */
export interface VersionDifference {
  base: number
  /** From its statements as a draft keeps them. */
  kept: boolean
  delta: JsonDelta | null
}

type Story = Pick<SoleRow, 'statements' | 'content'>
type BaseVersion = Story & { version: number }

/** Columns of a version that is settled: what it shares with `base` is not stored again, where that saves half. */
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

/** Versions of one keeper as they are to be read, with what they share with others. */
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
      // What a superseded version is read back from comes after it.
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
    if (!found) throw new Error(`Version ${version} of a SOLE is missing, which others are read back from`)
    return found
  }
  const result: R[] = []
  for (const row of rows) {
    const { statements, content } = await resolve(row)
    result.push({ ...row, statements, content })
  }
  return result
}
