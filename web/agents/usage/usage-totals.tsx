import type { UsageMetrics } from '#contract/agents/usage.ts'
import { StatTile } from '#web/ui/panels/stat-tile.tsx'
import { pluralize } from '#web/ui/text/pluralize.ts'
import { formatDuration, formatRunCost } from '../runs/run-texts.ts'
import { formatCompactCount, formatCount } from './usage-format.ts'

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
