import { useState } from 'react'
import type { UsageGroup, UsageRow } from '#contract/agents/usage.ts'
import { QueryState } from '#web/queries/query-error.tsx'
import { useLimitedList } from '#web/ui/hooks/use-limited-list.tsx'
import { SkeletonRows } from '#web/ui/panels/skeleton.tsx'
import { type Column, Table, type TableSort } from '#web/ui/panels/table.tsx'
import { formatDuration, formatRunCost } from '../runs/run-texts.ts'
import { formatCompactCount, formatCount } from './usage-format.ts'
import type { useUsage } from './usage-queries.ts'

type TableGroup = Exclude<UsageGroup, 'day'>
const groupNames: Record<TableGroup, string> = { agent: 'Agent', provider: 'Provider', model: 'Model', user: 'Person' }
const limitOptions = { initialVisible: 10, size: 'small', variant: 'plain', className: 'mt-2' } as const

interface UsageTableProps {
  groupBy: TableGroup
  query: ReturnType<typeof useUsage>
}

export function UsageTable({ groupBy, query }: UsageTableProps) {
  const [sort, setSort] = useState<TableSort>({ column: 'cost', direction: 'descending' })
  const rows = query.data?.rows
  const { visible, showMoreButton } = useLimitedList(rows?.toSorted(compareBy(sort)) ?? [], limitOptions)
  const status = (
    <QueryState
      reportsRefetch
      className="mb-4"
      query={query}
      skeleton={<SkeletonRows count={3} rowClassName="h-9" />}
      title="Usage couldn’t be loaded."
      details={query.error?.message}
    />
  )
  if (!rows) return status
  if (rows.length === 0)
    return (
      <>
        {status}
        <p className="text-ui text-muted-foreground">No runs in this period.</p>
      </>
    )
  const countsRequests = groupBy === 'provider' || groupBy === 'model'
  const columns = [
    {
      id: 'label',
      header: groupNames[groupBy],
      rowHeader: true,
      sortable: true,
      className: groupBy === 'model' ? 'font-mono text-code' : 'font-semibold',
      cell: (row: UsageRow) => row.label,
    },
    ...createMetricColumns(countsRequests),
  ]
  return (
    <>
      {status}
      <Table
        isEmbedded
        label={`Usage by ${groupNames[groupBy].toLowerCase()}`}
        columns={columns}
        rows={visible}
        rowKey={(row) => row.key}
        sort={sort}
        onSortChange={setSort}
      />
      {showMoreButton}
    </>
  )
}

const sortValues: Record<string, (row: UsageRow) => number> = {
  runs: (row) => row.runs,
  errors: (row) => row.errors,
  mock: (row) => row.mock_runs,
  p50: (row) => row.p50_ms ?? -1,
  p95: (row) => row.p95_ms ?? -1,
  tokens: (row) => row.input_tokens + row.output_tokens,
  cost: (row) => row.cost_usd,
}

function compareBy({ column, direction }: TableSort): (a: UsageRow, b: UsageRow) => number {
  const sign = direction === 'ascending' ? 1 : -1
  const getSortValue = sortValues[column]
  return (a, b) => sign * (getSortValue ? getSortValue(a) - getSortValue(b) : a.label.localeCompare(b.label, 'en-US'))
}

function createMetricColumns(countsRequests: boolean): Column<UsageRow>[] {
  const createColumn = (id: string, header: string, cell: (row: UsageRow) => string): Column<UsageRow> => ({
    id,
    header,
    numeric: true,
    sortable: true,
    className: 'whitespace-nowrap',
    cell,
  })
  return [
    createColumn('runs', countsRequests ? 'Requests' : 'Runs', (row) => formatCount(row.runs)),
    createColumn('errors', 'Errors', (row) => formatCount(row.errors)),
    createColumn('mock', 'Mock', (row) => formatCount(row.mock_runs)),
    createColumn('p50', 'Median time', (row) => formatDuration(row.p50_ms)),
    createColumn('p95', 'Slowest 5%', (row) => formatDuration(row.p95_ms)),
    createColumn(
      'tokens',
      'Tokens in / out',
      (row) => `${formatCompactCount(row.input_tokens)} / ${formatCompactCount(row.output_tokens)}`,
    ),
    createColumn('cost', 'Cost', (row) => {
      const costText = formatRunCost(row.cost_usd)
      if (row.unpriced_runs > 0) return `${costText} + ?`
      return row.estimated ? `about ${costText}` : costText
    }),
  ]
}
