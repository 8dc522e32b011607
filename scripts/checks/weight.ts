import { join } from 'node:path'
import { root } from '../fingerprint.ts'
import { weighFolder } from '../weigh-web.ts'
import { type Check, failedOnce, passedOnce } from './check.ts'

export const weight: Check = {
  name: 'weight of the pages',
  async run() {
    const weights = weighFolder(join(root, 'dist/web')).toSorted(
      (a, b) => b.kilobytes / b.limit - a.kilobytes / a.limit,
    )
    const tooHeavy = weights.filter(({ kilobytes, limit }) => kilobytes > limit)
    for (const { what, kilobytes, limit } of tooHeavy.length > 0 ? tooHeavy : weights.slice(0, 3)) {
      console.log(`  ${kilobytes.toFixed(1)} of ${limit} kB: ${what}`)
    }
    return tooHeavy.length > 0 ? failedOnce : passedOnce
  },
}
