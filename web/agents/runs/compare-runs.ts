import type { RunDetail } from '#contract/agents/runs.ts'
import { getProviderName } from '#contract/providers/registry.ts'
import { originWords, spokenCost, spokenMs, whoseKey } from './run-words.ts'
import { isOwn } from './use-live-run.ts'

export interface ComparedFact {
  name: string
  first: string
  second: string
  differs: boolean
  /** Relative difference of the second run. */
  note?: string
}

/** Comparable details of two runs; elapsed times in ms. */
export function comparedFacts(one: RunDetail, two: RunDetail, oneMs: number, twoMs: number): ComparedFact[] {
  const count = (value: number) => value.toLocaleString('en-US')
  const text = (name: string, of: (run: RunDetail) => string) => fact(name, of(one), of(two))
  // Usage is final only once a run has finished.
  const used = (name: string, of: (run: RunDetail) => number | null, say: (value: number | null) => string) => {
    const [first, second] = [one, two].map((run) => (run.status === 'running' ? null : of(run)))
    return { ...fact(name, say(first ?? null), say(second ?? null)), ...by(first ?? null, second ?? null) }
  }
  const tokens = (value: number | null) => (value === null ? '–' : count(value))
  return [
    text('Status', (run) => run.status),
    { ...fact('Duration', spokenMs(oneMs), spokenMs(twoMs)), ...by(oneMs, twoMs) },
    used('Tokens in', (run) => run.usage.input_tokens, tokens),
    used('Tokens out', (run) => run.usage.output_tokens, tokens),
    used('Cost', (run) => run.usage.cost_usd, spokenCost),
    text('Agent', (run) => (run.agent ? `${run.agent.name} v${run.agent_version}` : 'Unknown Agent')),
    text('Provider', (run) => getProviderName(run.model_provider)),
    text('Model', (run) => run.model),
    text('Key', (run) => whoseKey(run, isOwn(run))),
    text('Attempts', (run) => count(run.attempts)),
    text('Origin', (run) => originWords[run.origin]),
  ]
}

export function comparedSettings(one: RunDetail, two: RunDetail): ComparedFact[] {
  const [first, second] = [settingsOf(one), settingsOf(two)]
  const names = [...new Set([...Object.keys(first), ...Object.keys(second)])]
  return names.map((name) => fact(name, first[name] ?? 'not set', second[name] ?? 'not set'))
}

function settingsOf({ model_settings: settings, overrides, agent, agent_version }: RunDetail): Record<string, string> {
  const { retry, model: _model, ...plain } = settings ?? {}
  return {
    purpose: overrides?.purpose ?? `from ${agent?.name ?? 'the agent'} v${agent_version}`,
    ...Object.fromEntries(Object.entries({ ...plain, ...retry }).map(([name, value]) => [name, String(value)])),
  }
}

const fact = (name: string, first: string, second: string): ComparedFact => ({
  name,
  first,
  second,
  differs: first !== second,
})

function by(first: number | null, second: number | null): { note?: string } {
  if (!first || second === null || first === second) return {}
  const percent = Math.round(((second - first) / first) * 100)
  if (percent === 0) return {}
  return { note: percent > 0 ? `${percent.toLocaleString('en-US')} % more` : `${-percent} % less` }
}
