import type { UsageFigures } from '#contract/agents/usage.ts'
import { counted } from '#web/ui/counted.ts'
import { StatTile } from '#web/ui/stat-tile.tsx'
import { spokenCost, spokenMs } from '../runs/run-words.ts'
import { shortCount, spokenCount } from './usage-words.ts'

export function UsageTotals({ total }: { total: UsageFigures }) {
  return (
    <>
      <div className="mb-5 grid grid-cols-5 gap-4 phone:grid-cols-2">
        <StatTile
          label="Runs"
          value={spokenCount(total.runs)}
          hint={total.mock_runs > 0 ? `${spokenCount(total.mock_runs)} mock` : undefined}
        />
        <StatTile
          label="Errors"
          value={spokenCount(total.errors)}
          tone={total.errors > 0 ? 'destructive' : 'neutral'}
          hint={total.runs > 0 ? `${((total.errors / total.runs) * 100).toFixed(1)} % of the runs` : undefined}
        />
        <StatTile label="Median time" value={spokenMs(total.p50_ms)} hint={`95 %: ${spokenMs(total.p95_ms)}`} />
        <StatTile
          label="Tokens"
          value={shortCount(total.input_tokens + total.output_tokens)}
          hint={`${shortCount(total.input_tokens)} in, ${shortCount(total.output_tokens)} out`}
        />
        <StatTile
          label="Cost"
          value={spokenCost(total.cost_usd)}
          hint={`${spokenCost(total.platform_usd)} platform, ${spokenCost(total.personal_usd)} personal keys`}
        />
      </div>
      <p className="-mt-3 mb-5 text-small text-muted-foreground empty:hidden">
        {total.estimated && 'Some tokens are estimated: no provider reported them. '}
        {total.unpriced_runs > 0 &&
          `The cost excludes ${counted(total.unpriced_runs, 'run')} without a known model price or cut off by a restart.`}
      </p>
    </>
  )
}
