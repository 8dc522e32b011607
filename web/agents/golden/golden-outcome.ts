import type { ComparedModels, GoldenResult, GoldenRun } from '#contract/agents/golden-questions.ts'

export const hasFlipped = ({ before: previous, after: next }: GoldenResult) =>
  previous !== null && next !== null && previous.passed !== next.passed

export function countAnswered(run: GoldenRun): number {
  return run.results.filter((result) => result[run.models?.second === undefined ? 'after' : 'second'] !== null).length
}

export function getOutcomeText(run: GoldenRun): string {
  if (run.models) return getModelsOutcomeText(run, run.models)
  const { passed, total } = run
  const comparedCount = run.results.filter(({ before, after }) => before && after).length
  const flippedCount = run.results.filter(hasFlipped).length
  return [
    comparedCount > 0 && `${flippedCount} of ${total} changed.`,
    `${passed} of ${total} ${passed === 1 ? 'passes' : 'pass'}.`,
  ]
    .filter(Boolean)
    .join(' ')
}

function getModelsOutcomeText({ results, total }: GoldenRun, { after: candidate, second }: ComparedModels): string {
  const [passedFirst, passedSecond] = (['after', 'second'] as const).map(
    (key) => results.filter((result) => result[key]?.passed).length,
  )
  const firstText = `${candidate} passes ${passedFirst} of ${total}`
  return second === undefined ? `${firstText}.` : `${firstText}, ${second} ${passedSecond} of ${total}.`
}
