import type { GoldenResult, GoldenRun } from '#contract/agents/golden-questions.ts'

/** Its verdict is another than before: what passed fails, or what failed passes. */
export const hasFlipped = ({ before, after }: GoldenResult) =>
  before !== null && after !== null && before.passed !== after.passed

export function answeredIn(run: GoldenRun): number {
  return run.results.filter(({ after }) => after !== null).length
}

/** '1 of 5 changed. 4 of 5 pass.' */
export function outcomeOf(run: GoldenRun): string {
  const { passed, total } = run
  const compared = run.results.filter(({ before, after }) => before && after).length
  const flipped = run.results.filter(hasFlipped).length
  return [
    compared > 0 && `${flipped} of ${total} changed.`,
    `${passed} of ${total} ${passed === 1 ? 'passes' : 'pass'}.`,
  ]
    .filter(Boolean)
    .join(' ')
}
