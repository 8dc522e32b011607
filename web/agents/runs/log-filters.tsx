import { ListFilter, X } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { Provider } from '#contract/agents/model-settings.ts'
import { type RunStatus, runStatuses } from '#contract/agents/runs.ts'
import { useProviders } from '#web/queries/use-providers.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { DayRangeMenu, inlineFieldClasses } from '#web/ui/fields/day-range-menu.tsx'
import { SearchField } from '#web/ui/fields/search-field.tsx'
import { SelectField } from '#web/ui/fields/select-field.tsx'
import { classNames } from '#web/ui/hooks/class-names.ts'

export interface LogFiltersProps {
  address: LogAddress
  onChange: (changes: Partial<Record<LogFilterName, string>>, options?: { replace: boolean }) => void
}

const statusOptions = [{ value: '', label: 'Any status' }, ...runStatuses.map((value) => ({ value, label: value }))]

export function LogFilters({ address, onChange }: LogFiltersProps) {
  const providers = useProviders()
  const providerOptions = [
    { value: '', label: 'Any provider' },
    ...providers.map(({ id, name }) => ({ value: id, label: name })),
  ]
  const [open, setOpen] = useState(false)
  const { status = '', provider = '', from = '', to = '' } = address
  const activeFilters = getActiveFilters(address)
  const collapsedCount = activeFilters.filter((name) => name !== 'q' && name !== 'agentId').length
  return (
    <search className="mb-4 flex flex-wrap items-center gap-2" aria-label="Filter the logs">
      <LogSearchField value={address.q ?? ''} onChange={(q) => onChange({ q }, { replace: true })} />
      <Button
        className="desk:hidden"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
        icon={<ListFilter aria-hidden size={14} />}
      >
        {collapsedCount > 0 ? `Filters (${collapsedCount})` : 'Filters'}
      </Button>
      <div
        className={classNames(
          'desk:contents phone:w-full phone:grid-cols-2 phone:gap-2',
          open ? 'phone:grid' : 'phone:hidden',
        )}
      >
        <SelectField
          label="Status"
          labelHidden
          value={status}
          onChange={(event) => onChange({ status: event.currentTarget.value })}
          options={addUnknownOption(statusOptions, status)}
          className="w-36 phone:w-auto"
        />
        <SelectField
          label="Provider"
          labelHidden
          value={provider}
          onChange={(event) => onChange({ provider: event.currentTarget.value })}
          options={addUnknownOption(providerOptions, provider)}
          className="w-36 phone:w-auto"
        />
        <DayRangeMenu
          labelHidden
          from={from}
          to={to}
          onChange={(days) => onChange(days, { replace: true })}
          className="w-32 phone:w-auto"
          fieldClassName={`${inlineFieldClasses} phone:col-span-2`}
        />
      </div>
      {activeFilters.length > 0 && (
        <Button variant="plain" onClick={() => onChange(clearedFilters)} icon={<X aria-hidden size={14} />}>
          Clear filters
        </Button>
      )}
    </search>
  )
}

/** Adds a value from the URL that isn't offered, so that it can be removed. */
function addUnknownOption(options: { value: string; label: string }[], value: string) {
  return options.some((option) => option.value === value) ? options : [...options, { value, label: value }]
}

const searchDelayMs = 300

function LogSearchField({ value, onChange }: { value: string; onChange: (text: string) => void }) {
  const [searchText, setSearchText] = useState(value)
  const [lastValue, setLastValue] = useState(value)
  // The URL changed on its own: Back, or Clear filters.
  if (lastValue !== value) {
    setLastValue(value)
    if (searchText.trim() !== value) setSearchText(value)
  }
  useEffect(() => {
    if (searchText.trim() === value) return
    const timer = setTimeout(() => onChange(searchText.trim()), searchDelayMs)
    return () => clearTimeout(timer)
  }, [searchText, value, onChange])
  return (
    <SearchField
      label="Search the logs"
      placeholder="Text or an agent’s name"
      value={searchText}
      onValueChange={setSearchText}
      maxLength={200}
      className="min-w-[min(10rem,100%)] flex-1 basis-56"
    />
  )
}

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
