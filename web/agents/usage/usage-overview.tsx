import { useState } from 'react'
import { type UsageGroup, type UsageMetrics, usageCalls } from '#contract/agents/usage.ts'
import { DownloadButton } from '#web/files/download-button.tsx'
import { QueryState } from '#web/queries/query-error.tsx'
import { SegmentedControl } from '#web/ui/controls/segmented-control.tsx'
import { SelectField } from '#web/ui/fields/select-field.tsx'
import { useNotice } from '#web/ui/hooks/use-notice.tsx'
import { EmptyPanel } from '#web/ui/panels/empty-panel.tsx'
import { Skeleton, SkeletonRows } from '#web/ui/panels/skeleton.tsx'
import { StatTile } from '#web/ui/panels/stat-tile.tsx'
import { addDays } from '#web/ui/text/days.ts'
import { pluralize } from '#web/ui/text/pluralize.ts'
import { getReasonText } from '../runs/reason-text.ts'
import { formatDuration, formatRunCost } from '../runs/run-texts.ts'
import { BudgetWarning } from './budget-line.tsx'
import { UsageByDay } from './usage-by-day.tsx'
import { formatCompactCount, formatCount } from './usage-format.ts'
import { type Permissions, type UsageScope, useUsage } from './usage-queries.ts'
import { UsageTable } from './usage-table.tsx'

const rangeOptions = [
  { value: '7', label: '7 days' },
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: 'A year' },
] as const
const groupOptions: { value: Exclude<UsageGroup, 'day'>; label: string }[] = [
  { value: 'agent', label: 'Agents' },
  { value: 'provider', label: 'Providers' },
  { value: 'model', label: 'Models' },
  { value: 'user', label: 'People' },
]

export interface UsageOverviewProps {
  scope: UsageScope
  permissions: Permissions
  onShowBudgets: () => void
}

export function UsageOverview({ scope: initialScope, permissions, onShowBudgets }: UsageOverviewProps) {
  const [days, setDays] = useState<(typeof rangeOptions)[number]['value']>('30')
  const [scope, setScope] = useState(initialScope)
  const [groupBy, setGroupBy] = useState<(typeof groupOptions)[number]['value']>('agent')
  const range = { ...getRange(Number(days)), scope }
  const byDay = useUsage({ ...range, groupBy: 'day' })
  const byGroup = useUsage({ ...range, groupBy })
  const { showNotice, clearNotice, noticeBanner } = useNotice('w-full')
  const scopes = [
    { value: 'mine', label: 'Your own runs' },
    { value: 'agents', label: 'All runs of your agents' },
    ...(permissions?.includes('view_analytics') ? [{ value: 'platform', label: 'Everyone’s runs' }] : []),
  ]

  return (
    <>
      <BudgetWarning
        onlyScope={initialScope === 'mine' ? 'mine' : undefined}
        onChange={onShowBudgets}
        className="mb-4"
      />
      <div className="mb-5 flex flex-wrap items-center gap-3">
        <SelectField
          label="Whose runs"
          labelHidden
          value={scope}
          options={scopes}
          onChange={(event) => setScope(event.currentTarget.value as UsageScope)}
          className="w-56 phone:w-full"
        />
        <SegmentedControl label="Range" options={rangeOptions} value={days} onValueChange={setDays} />
      </div>
      <QueryState
        reportsRefetch
        className="mb-5"
        query={byDay}
        skeleton={<UsageSkeleton />}
        title="Usage couldn’t be loaded."
        details={byDay.error?.message}
      >
        No usage data is lost.
      </QueryState>
      {byDay.data &&
        (byDay.data.total.runs === 0 && byDay.data.total.cost_usd === 0 ? (
          <EmptyPanel title="No runs in this period">Agent usage and cost appear here after the first run.</EmptyPanel>
        ) : (
          <div className={byDay.isPlaceholderData ? 'opacity-60 transition-opacity duration-120' : undefined}>
            <UsageTotals total={byDay.data.total} />
            <UsageByDay rows={byDay.data.rows} />
          </div>
        ))}
      <div className="mt-7 mb-3 flex flex-wrap items-center gap-3">
        <h3 className="me-auto">Breakdown</h3>
        <SegmentedControl label="Grouped by" options={groupOptions} value={groupBy} onValueChange={setGroupBy} />
        <DownloadButton
          size="small"
          endpoint={usageCalls.exportFile}
          input={{ query: { ...range, groupBy } }}
          fallbackName="keeper-usage.csv"
          onStart={clearNotice}
          onFailed={(reason) => showNotice('error', `Usage couldn’t be exported: ${getReasonText(reason)}`)}
        >
          Export CSV
        </DownloadButton>
        {noticeBanner}
      </div>
      <UsageTable groupBy={groupBy} query={byGroup} />
    </>
  )
}

function UsageSkeleton() {
  return (
    <>
      <SkeletonRows count={5} rowClassName="h-14" className="mb-5 grid grid-cols-5 gap-4 phone:grid-cols-2" />
      <Skeleton className="h-40" />
    </>
  )
}

/** The last `days` UTC days including today, as the server counts them. */
function getRange(days: number): { from: string; to: string } {
  const to = new Date().toISOString().slice(0, 10)
  return { from: addDays(to, 1 - days), to }
}

export function UsageTotals({ total }: { total: UsageMetrics }) {
  return (
    <>
      <div className="mb-5 grid grid-cols-5 gap-4 phone:grid-cols-2">
        <StatTile
          label="Runs"
          value={formatCount(total.runs)}
          hint={total.mock_runs > 0 ? `${formatCount(total.mock_runs)} mock` : undefined}
        />
        <StatTile
          label="Errors"
          value={formatCount(total.errors)}
          tone={total.errors > 0 ? 'destructive' : 'neutral'}
          hint={total.runs > 0 ? `${((total.errors / total.runs) * 100).toFixed(1)}% of runs` : undefined}
        />
        <StatTile
          label="Median time"
          value={formatDuration(total.p50_ms)}
          hint={`95% within ${formatDuration(total.p95_ms)}`}
        />
        <StatTile
          label="Tokens"
          value={formatCompactCount(total.input_tokens + total.output_tokens)}
          hint={`${formatCompactCount(total.input_tokens)} in, ${formatCompactCount(total.output_tokens)} out`}
        />
        <StatTile
          label="Cost"
          value={formatRunCost(total.cost_usd)}
          hint={`${formatRunCost(total.platform_usd)} platform, ${formatRunCost(total.personal_usd)} personal keys`}
        />
      </div>
      <p className="-mt-3 mb-5 text-small text-muted-foreground empty:hidden">
        {total.estimated && 'Some token counts are estimated because the provider didn’t report them. '}
        {total.unpriced_runs > 0 &&
          `The cost excludes ${pluralize(total.unpriced_runs, 'run')} with no known model price or cut short by a restart.`}
      </p>
    </>
  )
}
