import { useState } from 'react'
import type { UsageRow } from '#contract/agents/usage.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { SegmentedControl } from '#web/ui/controls/segmented-control.tsx'
import { type BarSeries, StackedBars } from '#web/ui/panels/stacked-bars.tsx'
import { type Column, Table } from '#web/ui/panels/table.tsx'
import { formatRunCost } from '../runs/run-texts.ts'
import { formatCompactCount, formatCount, formatShortDay } from './usage-format.ts'

interface Measure {
  label: string
  series: BarSeries[]
  getParts: (row: UsageRow) => number[]
  format: (amount: number) => string
}

const measures = {
  cost: {
    label: 'Cost',
    series: [
      { name: 'Platform keys', pigment: 1 },
      { name: 'Personal keys', pigment: 2 },
    ],
    getParts: (row) => [row.platform_usd, row.personal_usd],
    format: formatRunCost,
  },
  runs: {
    label: 'Runs',
    series: [
      { name: 'Answered', pigment: 3 },
      { name: 'Mock', pigment: 5 },
      { name: 'Errors', pigment: 4 },
    ],
    getParts: (row) => {
      // A failed mock run counts only as an error.
      const mock = Math.min(row.mock_runs, row.runs - row.errors)
      return [row.runs - row.errors - mock, mock, row.errors]
    },
    format: formatCount,
  },
  tokens: {
    label: 'Tokens',
    series: [
      { name: 'In', pigment: 1 },
      { name: 'Out', pigment: 2 },
    ],
    getParts: (row) => [row.input_tokens, row.output_tokens],
    format: formatCompactCount,
  },
} satisfies Record<string, Measure>
type MeasureId = keyof typeof measures

export function UsageByDay({ rows }: { rows: readonly UsageRow[] }) {
  const [measureId, setMeasureId] = useState<MeasureId>(rows.some((row) => row.cost_usd > 0) ? 'cost' : 'runs')
  const [asTable, setAsTable] = useState(false)
  const { label, series, getParts, format }: Measure = measures[measureId]
  const columns: Column<UsageRow>[] = [
    { id: 'day', header: 'Day', rowHeader: true, cell: (row) => formatShortDay(row.key) },
    ...series.map(({ name }, index) => ({
      id: name,
      header: name,
      numeric: true,
      cell: (row: UsageRow) => format(getParts(row)[index] ?? 0),
    })),
  ]
  return (
    <section aria-label="By day">
      <div className="mb-3 flex flex-wrap items-center gap-3">
        <h3 className="me-auto">By day</h3>
        <SegmentedControl
          label="What to show"
          options={(Object.keys(measures) as MeasureId[]).map((value) => ({ value, label: measures[value].label }))}
          value={measureId}
          onValueChange={setMeasureId}
        />
        <Button size="small" variant="plain" aria-pressed={asTable} onClick={() => setAsTable(!asTable)}>
          {asTable ? 'Show as bars' : 'Show as table'}
        </Button>
      </div>
      {asTable ? (
        <Table
          isEmbedded
          label={`${label} by day`}
          columns={columns}
          rows={[...rows].reverse()}
          rowKey={(row) => row.key}
        />
      ) : (
        <StackedBars
          label={`${label} by day; use the arrow keys to move between days`}
          series={series}
          bars={rows.map((row) => ({ key: row.key, label: formatShortDay(row.key), parts: getParts(row) }))}
          format={format}
        />
      )}
    </section>
  )
}
