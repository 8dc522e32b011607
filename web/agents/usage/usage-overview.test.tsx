import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import type { UsageMetrics } from '#contract/agents/usage.ts'
import { agentsKey } from '../agent-queries.ts'
import { AgentStats } from './agent-stats.tsx'
import { UsageTotals } from './usage-overview.tsx'
import { UsageTable } from './usage-table.tsx'

it('the totals blame no provider for estimates when only the mock ran', () => {
  const total = { runs: 2, mock_runs: 2, errors: 0, estimated: true, unpriced_runs: 0 } as UsageMetrics
  const markup = renderToStaticMarkup(<UsageTotals total={{ ...total, input_tokens: 1, output_tokens: 1 }} />)
  expect(markup).toContain('Some token counts are estimated because the provider didn’t report them.')
})

const failure = { status: 'error', error: new Error('The server is restarting.') } as const

it('a failed refetch is reported above the previous rows', () => {
  const row = { key: 'a', label: 'Week Reader', runs: 2, errors: 0, mock_runs: 0, cost_usd: 0 }
  const query = { ...failure, data: { rows: [row] }, isPending: false, isFetching: false, refetch: () => undefined }
  const props = { groupBy: 'agent', query } as unknown as Parameters<typeof UsageTable>[0]
  const markup = renderToStaticMarkup(<UsageTable {...props} />)
  expect(markup.indexOf('Retry')).toBeLessThan(markup.indexOf('Week Reader'))
  expect(markup).toContain('Usage couldn’t be loaded.')
})

it('failed agent stats are announced and keep the previous figures', () => {
  const queryClient = new QueryClient()
  const queryKey = [...agentsKey, 'stats', 'week-reader']
  queryClient.setQueryData(queryKey, {
    runs: 12,
    errors: 0,
    mock_runs: 0,
    input_tokens: 0,
    output_tokens: 0,
    cost_usd: 0,
  })
  queryClient.getQueryCache().find({ queryKey })?.setState(failure)
  const markup = renderToStaticMarkup(
    <QueryClientProvider client={queryClient}>
      <AgentStats agentId="week-reader" />
    </QueryClientProvider>,
  )
  expect(markup).toContain('role="alert"')
  expect(markup).toContain('12')
  queryClient.clear()
})
