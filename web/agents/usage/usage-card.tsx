import { ChartColumn } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { SkeletonRows } from '#web/ui/panels/skeleton.tsx'
import { Sparkline } from '#web/ui/panels/sparkline.tsx'
import { pluralize } from '#web/ui/text/pluralize.ts'
import { formatRunCost } from '../runs/run-texts.ts'
import { type Permissions, useUsage } from './usage-queries.ts'

const UsageDialog = lazy(() => import('./usage-dialog.tsx'))

/** Last 30 days: everyone’s with `view_analytics`, otherwise the person’s own. Opens the usage dialog. */
export function UsageCard({ permissions, className }: { permissions: Permissions; className: string }) {
  const scope = permissions?.includes('view_analytics') ? 'platform' : 'mine'
  const usage = useUsage({ scope }, permissions !== undefined)
  const [open, setOpen] = useState(false)
  const dailyRuns = usage.data?.rows.map((row) => row.runs) ?? []
  const total = usage.data?.total
  return (
    <>
      <button
        type="button"
        onClick={() => setOpen(true)}
        aria-haspopup="dialog"
        className={`${className} w-full text-start transition-colors duration-120 hover:border-input/60`}
      >
        <ChartColumn aria-hidden size={20} className="mt-0.5 shrink-0 text-chart1" />
        <span className="min-w-0 flex-1">
          <span className="block font-serif text-h3">API Usage Analytics</span>
          <span className="mt-0.5 block text-ui text-muted-foreground">
            Tokens and cost by person, provider and day; budgets and prices.
          </span>
          {total ? (
            <span className="mt-2.5 block">
              <Sparkline
                label={`Runs per day over the last 30 days, ${pluralize(total.runs, 'run')} in total`}
                values={dailyRuns}
              />
              <span className="mt-1.5 block text-small text-muted-foreground tabular-nums">
                {scope === 'mine' ? 'You, last 30 days: ' : 'Last 30 days: '}
                {pluralize(total.runs, 'run')}, {formatRunCost(total.cost_usd)}
              </span>
            </span>
          ) : usage.isError ? (
            <span className="mt-2.5 block text-small text-destructive">Usage couldn’t be loaded.</span>
          ) : (
            <SkeletonRows rowClassName="h-13" className="mt-2.5" />
          )}
        </span>
      </button>
      {open && (
        <Suspense>
          <UsageDialog scope={scope} permissions={permissions} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
