import { join } from 'node:path'
import { findUncompressed } from '../../web/build/precompress.ts'
import { root } from '../fingerprint.ts'
import {
  findFileHeavyPages,
  findGrown,
  findPagesImportingOtherEntries,
  readManifest,
  readRecordedWeights,
  weighFolder,
} from '../weigh-web.ts'
import { type Check, failedOnce, passedOnce } from './check.ts'

export const weightCheck: Check = {
  name: 'weight of the pages',
  async run() {
    const webFolder = join(root, 'dist/web')
    const uncompressedFiles = await findUncompressed(webFolder)
    if (uncompressedFiles.length > 0) {
      console.log(
        `  Not precompressed by the build, so each server compresses these files again: ${uncompressedFiles.join(', ')}`,
      )
      return failedOnce
    }
    const weights = weighFolder(webFolder).toSorted((a, b) => b.kilobytes / b.limit - a.kilobytes / a.limit)
    const tooHeavy = weights.filter(({ kilobytes, limit }) => kilobytes > limit)
    for (const { label, kilobytes, limit } of tooHeavy.length > 0 ? tooHeavy : weights.slice(0, 3)) {
      console.log(`  ${kilobytes.toFixed(1)} of ${limit} kB: ${label}`)
    }
    for (const line of findGrown(weights, readRecordedWeights())) console.log(`  since the recorded weights: ${line}`)
    const pagesWithTooManyScripts = findFileHeavyPages(readManifest(webFolder))
    for (const { label, files } of pagesWithTooManyScripts) console.log(`  too many scripts: ${label} loads ${files}`)
    const pagesImportingOtherEntries = findPagesImportingOtherEntries(readManifest(webFolder))
    for (const { page, importedEntry } of pagesImportingOtherEntries)
      console.log(`  ${page} imports, and so runs, the entry ${importedEntry}`)
    return tooHeavy.length + pagesWithTooManyScripts.length + pagesImportingOtherEntries.length > 0
      ? failedOnce
      : passedOnce
  },
}
