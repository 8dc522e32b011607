import { basename, dirname } from 'node:path'
import { getCheckFile } from './find-checks.ts'

type Tests = ReadonlyMap<string, Record<string, string[]>>

const getArea = (path: string) => path.split('/')[1]

function getDistance(id: string, file: string): number {
  const [one, other] = [dirname(getCheckFile(id)), dirname(file)]
  if (one === other) return basename(file).startsWith(basename(getCheckFile(id), '.ts')) ? 0 : 1
  if (one.startsWith(`${other}/`) || other.startsWith(`${one}/`)) return 2
  return getArea(one) === getArea(other) ? 3 : 4
}

export function findNearestTests(id: string, tests: Tests): string[] {
  const candidates = [...tests].map(([file, testsByName]) => {
    const count = Object.values(testsByName).filter((ids) => ids.includes(id)).length
    return { file, count, distance: getDistance(id, file) }
  })
  return candidates
    .filter(({ count }) => count > 0)
    .toSorted((a, b) => a.distance - b.distance || b.count - a.count)
    .map(({ file }) => file)
}

export function findPartners(id: string, testsByName: Record<string, string[]>, tests: Tests): string[] {
  const sharedIds = new Set(
    Object.values(testsByName)
      .filter((ids) => ids.includes(id))
      .flat(),
  )
  sharedIds.delete(id)
  const countFiles = (other: string) =>
    [...tests.values()].filter((testFile) => Object.values(testFile).some((ids) => ids.includes(other))).length
  const getRank = (other: string) => {
    if (getCheckFile(other) === getCheckFile(id)) return 0
    return dirname(getCheckFile(other)) === dirname(getCheckFile(id)) ? 1 : 2
  }
  const ranked = [...sharedIds].map((other) => ({ other, rank: getRank(other), files: countFiles(other) }))
  return ranked.toSorted((a, b) => a.rank - b.rank || a.files - b.files).map(({ other }) => other)
}
