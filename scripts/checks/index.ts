import { build } from './build.ts'
import type { Check } from './check.ts'
import { formatAndLint } from './format-and-lint.ts'
import { journeys } from './journeys.ts'
import { prose } from './prose.ts'
import { tests } from './tests.ts'
import { types } from './types.ts'
import { unused } from './unused.ts'
import { weight } from './weight.ts'

/** Everything a change must pass, in order: the same list here and in continuous integration. */
export const checksWithoutBrowser: (Check | Check[])[] = [
  [formatAndLint, prose, ...types, unused],
  tests,
  build,
  weight,
]
export const allChecks: (Check | Check[])[] = [...checksWithoutBrowser, journeys]

export const filteredChecks: Check[] = [tests]
