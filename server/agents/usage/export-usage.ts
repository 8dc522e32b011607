import { type CsvValue, csvLine } from '#contract/csv-line.ts'
import type { Person } from '#server/accounts/person.ts'
import type { Services } from '#server/services.ts'
import { showUsage, type UsageAsked } from './show-usage.ts'

const figures = [
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

export async function exportUsage(services: Services, person: Person, asked: UsageAsked): Promise<Response> {
  const { from, to, rows, total } = await showUsage(services, person, asked)
  const lines: CsvValue[][] = [
    [asked.groupBy, 'label', ...figures],
    ...rows.map((row) => [row.key, row.label, ...figures.map((name) => row[name])]),
    ['total', '', ...figures.map((name) => total[name])],
  ]
  return new Response(lines.map(csvLine).join(''), {
    headers: {
      'content-type': 'text/csv; charset=utf-8; header=present',
      'content-disposition': `attachment; filename="keeper-usage-${asked.groupBy}-${from}-${to}.csv"`,
      'cache-control': 'no-store',
    },
  })
}
