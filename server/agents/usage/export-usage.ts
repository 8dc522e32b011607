import { type CsvValue, formatCsvLine } from '#contract/csv-line.ts'
import type { Person } from '#server/accounts/person.ts'
import type { Services } from '#server/services.ts'
import { showUsage, type UsageParams } from './show-usage.ts'

const metricColumns = [
  'runs',
  'errors',
  'mock_runs',
  'p50_ms',
  'p95_ms',
  'input_tokens',
  'output_tokens',
  'estimated',
  'cost_usd',
  'unpriced_runs',
  'personal_usd',
  'platform_usd',
] as const

export async function exportUsage(services: Services, person: Person, params: UsageParams): Promise<Response> {
  const { from, to, rows, total } = await showUsage(services, person, params)
  const lines: CsvValue[][] = [
    [params.groupBy, 'label', ...metricColumns],
    ...rows.map((row) => [row.key, row.label, ...metricColumns.map((name) => row[name])]),
    ['total', '', ...metricColumns.map((name) => total[name])],
  ]
  return new Response(lines.map(formatCsvLine).join(''), {
    headers: {
      'content-type': 'text/csv; charset=utf-8; header=present',
      'content-disposition': `attachment; filename="keeper-usage-${params.groupBy}-${from}-${to}.csv"`,
      'cache-control': 'no-store',
    },
  })
}
