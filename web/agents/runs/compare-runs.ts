import type { RunDetail } from '#contract/agents/runs.ts'
import { getProviderName } from '#contract/providers/registry.ts'
import { formatDuration, formatRunCost, getKeyText, originLabels } from './run-texts.ts'
import { isOwnRun } from './use-live-run.ts'

export interface ComparisonRow {
  name: string
  first: string
  second: string
  differs: boolean
  note?: string
}

export function compareDetails(
  firstRun: RunDetail,
  secondRun: RunDetail,
  firstMs: number,
  secondMs: number,
): ComparisonRow[] {
  const formatCount = (value: number) => value.toLocaleString('en-US')
  const createTextRow = (name: string, getValue: (run: RunDetail) => string) =>
    createRow(name, getValue(firstRun), getValue(secondRun))
  // Usage is final only once a run has finished.
  const createUsageRow = (
    name: string,
    getValue: (run: RunDetail) => number | null,
    format: (value: number | null) => string,
  ) => {
    const [first, second] = [firstRun, secondRun].map((run) => (run.status === 'running' ? null : getValue(run)))
    return {
      ...createRow(name, format(first ?? null), format(second ?? null)),
      ...getDifferenceNote(first ?? null, second ?? null),
    }
  }
  const formatTokens = (value: number | null) => (value === null ? '–' : formatCount(value))
  return [
    createTextRow('Status', (run) => run.status),
    {
      ...createRow('Duration', formatDuration(firstMs), formatDuration(secondMs)),
      ...getDifferenceNote(firstMs, secondMs),
    },
    createUsageRow('Tokens in', (run) => run.usage.input_tokens, formatTokens),
    createUsageRow('Tokens out', (run) => run.usage.output_tokens, formatTokens),
    createUsageRow('Cost', (run) => run.usage.cost_usd, formatRunCost),
    createTextRow('Agent', (run) => (run.agent ? `${run.agent.name} v${run.agent_version}` : 'Unknown Agent')),
    createTextRow('Provider', (run) => getProviderName(run.model_provider)),
    createTextRow('Model', (run) => run.model),
    createTextRow('Key', (run) => getKeyText(run, isOwnRun(run))),
    createTextRow('Attempts', (run) => formatCount(run.attempts)),
    createTextRow('Origin', (run) => originLabels[run.origin]),
  ]
}

export function compareSettings(firstRun: RunDetail, secondRun: RunDetail): ComparisonRow[] {
  const [first, second] = [getSettings(firstRun), getSettings(secondRun)]
  const names = [...new Set([...Object.keys(first), ...Object.keys(second)])]
  return names.map((name) => createRow(name, first[name] ?? 'not set', second[name] ?? 'not set'))
}

function getSettings({ model_settings: settings, overrides, agent, agent_version }: RunDetail): Record<string, string> {
  const { retry, model: _model, ...plainSettings } = settings ?? {}
  return {
    purpose: overrides?.purpose ?? `from ${agent?.name ?? 'the agent'} v${agent_version}`,
    ...Object.fromEntries(Object.entries({ ...plainSettings, ...retry }).map(([name, value]) => [name, String(value)])),
  }
}

const createRow = (name: string, first: string, second: string): ComparisonRow => ({
  name,
  first,
  second,
  differs: first !== second,
})

function getDifferenceNote(first: number | null, second: number | null): { note?: string } {
  if (!first || second === null || first === second) return {}
  const percent = Math.round(((second - first) / first) * 100)
  if (percent === 0) return {}
  return { note: percent > 0 ? `${percent.toLocaleString('en-US')}% more` : `${-percent}% less` }
}
