import type { Provider } from '#contract/agents/model-settings.ts'
import type { RunStatus } from '#contract/agents/runs.ts'

/** Log page state from the URL. `from` and `to` are inclusive local days. */
export interface LogAddress {
  page: number
  agentId?: string | undefined
  q?: string | undefined
  status?: string | undefined
  provider?: string | undefined
  from?: string | undefined
  to?: string | undefined
  run?: string | undefined
  /** A second run to compare. */
  with?: string | undefined
}

const logFilters = ['agentId', 'q', 'status', 'provider', 'from', 'to'] as const
export type LogFilterName = (typeof logFilters)[number]

export function readLogAddress(params: URLSearchParams): LogAddress {
  const page = Math.max(Number.parseInt(params.get('page') ?? '1', 10) || 1, 1)
  const getParam = (name: string) => params.get(name)?.trim() || undefined
  return {
    page,
    ...Object.fromEntries([...logFilters, 'run', 'with'].map((name) => [name, getParam(name)])),
  }
}

/** The changed query string; a filter change resets page and run. */
export function changeLogAddress(params: URLSearchParams, changes: Partial<Record<keyof LogAddress, string>>): string {
  const next = new URLSearchParams(params)
  const changesFilter = logFilters.some((name) => name in changes && (changes[name] || null) !== params.get(name))
  if (changesFilter) for (const name of ['page', 'run', 'with']) next.delete(name)
  for (const [name, value] of Object.entries(changes)) {
    if (value) next.set(name, value)
    else next.delete(name)
  }
  return next.size > 0 ? `?${next}` : '?'
}

export const getActiveFilters = (address: LogAddress) => logFilters.filter((name) => address[name] !== undefined)

export const clearedFilters = Object.fromEntries(logFilters.map((name) => [name, ''])) as Record<LogFilterName, string>

export type SentLogFilter = Partial<Record<'agentId' | 'q' | 'from' | 'to', string>> & {
  status?: RunStatus
  provider?: Provider
}

/** API query: times are instants with exclusive `to`. Invalid values are sent, so that the server reports them. */
export function toLogQuery({ agentId, q, status, provider, from, to }: LogAddress): SentLogFilter {
  const query = { agentId, q, status, provider, from: toInstant(from, 0), to: toInstant(to, 1) }
  return Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined))
}

function toInstant(day: string | undefined, daysLater: number): string | undefined {
  const [, year, month, date] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(day ?? '') ?? []
  if (year === undefined) return day
  const instant = new Date(Number(year), Number(month) - 1, Number(date) + daysLater)
  // Rejects overflow such as February 31.
  const isValidDay = new Date(Number(year), Number(month) - 1, Number(date)).getDate() === Number(date)
  return isValidDay ? instant.toISOString() : day
}
