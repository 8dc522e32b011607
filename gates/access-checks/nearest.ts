import { basename, dirname } from 'node:path'
import { fileOf } from './find-checks.ts'

type Tests = ReadonlyMap<string, Record<string, string[]>>

const areaOf = (path: string) => path.split('/')[1]

/** Distance of a test file from a check: same file, folder, subfolder, area, or none. */
function far(id: string, file: string): number {
  const [one, other] = [dirname(fileOf(id)), dirname(file)]
  if (one === other) return basename(file).startsWith(basename(fileOf(id), '.ts')) ? 0 : 1
  if (one.startsWith(`${other}/`) || other.startsWith(`${one}/`)) return 2
  return areaOf(one) === areaOf(other) ? 3 : 4
}

export function nearest(id: string, tests: Tests): string[] {
  const counted = [...tests].map(([file, found]) => {
    const count = Object.values(found).filter((ids) => ids.includes(id)).length
    return { file, count, far: far(id, file) }
  })
  return counted
    .filter(({ count }) => count > 0)
    .toSorted((a, b) => a.far - b.far || b.count - a.count)
    .map(({ file }) => file)
}

export function partnersOf(id: string, found: Record<string, string[]>, tests: Tests): string[] {
  const together = new Set(
    Object.values(found)
      .filter((ids) => ids.includes(id))
      .flat(),
  )
  together.delete(id)
  const filesWith = (other: string) =>
    [...tests.values()].filter((each) => Object.values(each).some((ids) => ids.includes(other))).length
  const ranked = [...together].map((other) => ({
    other,
    rank: fileOf(other) === fileOf(id) ? 0 : dirname(fileOf(other)) === dirname(fileOf(id)) ? 1 : 2,
    files: filesWith(other),
  }))
  return ranked.toSorted((a, b) => a.rank - b.rank || a.files - b.files).map(({ other }) => other)
}
