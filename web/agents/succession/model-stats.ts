import type { ComparedModels, GoldenResult } from '#contract/agents/golden-questions.ts'

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
