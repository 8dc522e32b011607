import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import type { UsageMetrics } from '#contract/agents/usage.ts'
import { UsageTotals } from './usage-overview.tsx'

it('doesn’t blame a provider for estimates when only the mock ran', () => {
  const total = { runs: 2, mock_runs: 2, errors: 0, estimated: true, unpriced_runs: 0 } as UsageMetrics
  const markup = renderToStaticMarkup(<UsageTotals total={{ ...total, input_tokens: 1, output_tokens: 1 }} />)
  expect(markup).toContain('Some token counts are estimated because the provider didn’t report them.')
})
