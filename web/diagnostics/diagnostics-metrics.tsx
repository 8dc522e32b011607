import { classNames } from '#web/ui/hooks/class-names.ts'
import type { CheckResult, DiagnosticCheck, DiagnosticOutcome } from './check.ts'
import { summarize } from './report.ts'

const barHeights: Record<DiagnosticOutcome, string> = {
  passed: 'h-3 bg-success forced-colors:bg-[Highlight]',
  failed: 'h-[30px] bg-destructive forced-colors:bg-[CanvasText]',
  tolerated: 'h-[18px] border border-warning bg-warning-soft',
  skipped: 'h-1.5 border border-border bg-secondary',
}

/** Five metrics and a bar per check; failed bars are taller, not only red. */
export function DiagnosticsMetrics({
  results,
  coming: pendingChecks,
}: {
  results: readonly CheckResult[]
  coming: readonly DiagnosticCheck[]
}) {
  const { total, passed, failed, percentage, skipped, tolerated } = summarize(results)
  const metrics = [
    { label: 'Total', value: total },
    { label: 'Passed', value: passed, ink: passed > 0 && 'text-success' },
    { label: 'Failed', value: failed, ink: failed > 0 && 'text-destructive' },
    { label: 'Score', value: `${passed} / ${total}` },
    { label: 'Success rate', value: `${percentage}%` },
  ]
  const labelParts = [`${passed} passed`, `${failed} failed`, `${tolerated} optional didn’t work`, `${skipped} skipped`]
  const uncounted = tolerated + skipped
  return (
    <div className="mb-6 flex flex-wrap items-end gap-x-12 gap-y-5">
      <dl className="flex flex-wrap gap-x-11 gap-y-3 px-0.5 phone:w-full phone:justify-between phone:gap-x-3">
        {metrics.map(({ label, value, ink }) => (
          <div key={label} className="flex flex-col-reverse">
            <dt className="mt-1 text-small text-muted-foreground">{label}</dt>
            <dd className={classNames('font-serif text-figure tabular-nums lining-nums phone:text-[26px]', ink)}>
              {value}
            </dd>
          </div>
        ))}
      </dl>
      <div
        role="img"
        aria-label={labelParts.join(', ')}
        className="flex h-[52px] min-w-0 flex-1 basis-72 items-end gap-1 phone:h-8 phone:basis-full phone:gap-[3px]"
      >
        {results.map(({ id, outcome }) => (
          <span key={id} className={classNames('min-w-0 flex-1 rounded-[3px]', barHeights[outcome])} />
        ))}
        {pendingChecks.map(({ id }) => (
          <span key={id} className="h-1 min-w-0 flex-1 rounded-[3px] bg-secondary" />
        ))}
      </div>
      {uncounted > 0 && (
        <p className="-mt-3 basis-full px-0.5 text-small text-muted-foreground">
          {total} {total === 1 ? 'check' : 'checks'}, {uncounted} optional or skipped.
        </p>
      )}
    </div>
  )
}
