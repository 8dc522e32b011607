import type { ComparedModels, GoldenResult, GoldenRun } from '#contract/agents/golden-questions.ts'
import { DetailList } from '#web/ui/panels/detail-list.tsx'
import { formatDuration, formatRunCost } from '../runs/run-texts.ts'

export interface ModelStats {
  passed: number
  answered: number
  /** Total US dollars; `null` if any price is unknown. */
  costUsd: number | null
  medianMs: number | null
}

/** Results of one compared model. Runs that failed without an answer don’t count towards the time. */
export function toModelStats(results: readonly GoldenResult[], key: keyof ComparedModels): ModelStats {
  const answers = results.flatMap((result) => result[key] ?? [])
  const costs = answers.map(({ cost_usd }) => cost_usd)
  return {
    passed: answers.filter(({ passed }) => passed).length,
    answered: answers.length,
    costUsd: costs.includes(null) ? null : costs.reduce<number>((total, cost) => total + (cost ?? 0), 0),
    medianMs: getMedian(answers.filter(({ answer }) => answer !== '').map(({ ms }) => ms)),
  }
}

function getMedian(values: number[]): number | null {
  const sorted = values.toSorted((a, b) => a - b)
  const upper = sorted[Math.floor(sorted.length / 2)]
  const lower = sorted[Math.floor((sorted.length - 1) / 2)]
  return upper === undefined || lower === undefined ? null : (upper + lower) / 2
}

/** The picked models, else the provider's replacement, else its best; empty if there is none. */
export function chooseCandidates(
  {
    current,
    replacement,
    recommended,
  }: { current: string; replacement: string | null; recommended: readonly string[] },
  [pickedFirst, pickedSecond]: readonly [string?, string?] = [],
): [string, string] {
  const suggestedModels = [...new Set([replacement ?? '', ...recommended])].filter(
    (model) => model !== '' && model !== current,
  )
  const first = pickedFirst ?? suggestedModels.find((model) => model !== pickedSecond) ?? ''
  return [first, pickedSecond ?? suggestedModels.find((model) => model !== first) ?? '']
}

export function getComparedColumns(models: ComparedModels): { key: keyof ComparedModels; model: string }[] {
  return (['before', 'after', 'second'] as const).flatMap((key) => {
    const model = models[key]
    return model === undefined ? [] : [{ key, model }]
  })
}

export function ModelColumns({ run, models }: { run: GoldenRun; models: ComparedModels }) {
  return (
    <ul aria-label="Models compared" className="mb-4 grid grid-cols-1 gap-3 @min-[720px]:grid-cols-3">
      {getComparedColumns(models).map(({ key, model }) => {
        const { passed, answered, costUsd, medianMs } = toModelStats(run.results, key)
        return (
          <li key={key} className="min-w-0 rounded-md border border-border bg-card px-3.5 py-2.5">
            <p className="text-small text-muted-foreground">{key === 'before' ? 'Now' : 'Candidate'}</p>
            <p className="font-mono text-ui font-medium wrap-anywhere">{model}</p>
            <DetailList
              className="mt-1.5 gap-x-3 text-small! tabular-nums"
              details={[
                ['Passes', `${passed} of ${answered}`],
                ['Price', answered === 0 ? '–' : formatRunCost(costUsd)],
                ['Median time', formatDuration(medianMs)],
              ]}
            />
          </li>
        )
      })}
    </ul>
  )
}
