import { Check, ChevronDown, Minus, TriangleAlert, X } from 'lucide-react'
import { useId, useState } from 'react'
import { Link } from 'react-router'
import { quietLinkClasses } from '#web/ui/controls/quiet-link.ts'
import { classNames } from '#web/ui/hooks/class-names.ts'
import type { CheckResult, DiagnosticCheck, DiagnosticOutcome, RemedyLink } from './check.ts'
import { summarize } from './report.ts'

const outcomeSeals: Record<DiagnosticOutcome, { className: string; Icon: typeof Check; label: string }> = {
  passed: { className: 'bg-success-soft text-success', Icon: Check, label: 'Passed' },
  failed: { className: 'bg-destructive text-destructive-foreground', Icon: X, label: 'Failed' },
  tolerated: { className: 'bg-warning-soft text-warning', Icon: TriangleAlert, label: 'Optional, didn’t work' },
  skipped: { className: 'bg-secondary text-muted-foreground', Icon: Minus, label: 'Skipped' },
}

export function CheckList({ results }: { results: readonly CheckResult[] }) {
  return (
    <ul aria-label="Checks" className="overflow-hidden rounded-lg border border-border bg-card shadow-e1">
      {results.map((result) => (
        <CheckRow key={result.id} result={result} />
      ))}
    </ul>
  )
}

function CheckRow({ result }: { result: CheckResult }) {
  const { name, outcome, message: resultText, ms, meaning, remedy, remedyLink, detail } = result
  const [open, setOpen] = useState(outcome === 'failed')
  const detailsId = useId()
  const { className: sealClass, Icon, label } = outcomeSeals[outcome]
  const hasDetail = Object.keys(detail).length > 0
  return (
    <li
      className={classNames('border-t border-hairline first:border-t-0', outcome === 'failed' && 'bg-destructive-soft')}
    >
      <button
        type="button"
        aria-expanded={open}
        aria-controls={detailsId}
        onClick={() => setOpen(!open)}
        className="flex min-h-[2.375rem] w-full items-center gap-2.5 px-4 py-1.5 text-start text-ui hover:bg-fill-hover focus-visible:-outline-offset-2 phone:min-h-11"
      >
        <span className={classNames('grid size-[1.125rem] shrink-0 place-items-center rounded-full', sealClass)}>
          <Icon aria-hidden size={11} strokeWidth={3} />
        </span>
        <span className="sr-only">{label}:</span>
        <span className="shrink-0 font-semibold">{name}</span>
        <span
          className={classNames(
            'min-w-0 flex-1 truncate text-small text-muted-foreground phone:invisible',
            open && 'invisible',
          )}
        >
          {resultText}
        </span>
        <span className="shrink-0 text-small text-muted-foreground tabular-nums">
          {outcome === 'skipped' ? 'skipped' : `${ms.toLocaleString('en-US')} ms`}
        </span>
        <ChevronDown
          aria-hidden
          size={15}
          className={classNames('shrink-0 transition-transform', open && 'rotate-180')}
        />
      </button>
      <div id={detailsId} hidden={!open} className="px-4 pb-4 ps-[44px] text-small phone:ps-4">
        <p className="wrap-anywhere">{resultText}</p>
        <p className="mt-1 text-muted-foreground">{meaning}</p>
        {remedy && (
          <p className="mt-1">
            <span className="font-semibold">What to do:</span> <Remedy remedy={remedy} link={remedyLink} />
          </p>
        )}
        {hasDetail && (
          <pre className="mt-2 font-mono text-code whitespace-pre-wrap wrap-anywhere">
            {JSON.stringify(detail, null, 2)}
          </pre>
        )}
      </div>
    </li>
  )
}

function Remedy({ remedy, link }: { remedy: string; link: RemedyLink | undefined }) {
  if (!link) return remedy
  const [textBefore, textAfter] = remedy.split(link.linkText)
  return (
    <>
      {textBefore}
      <Link to={link.to} className={quietLinkClasses}>
        {link.linkText}
      </Link>
      {textAfter}
    </>
  )
}

const barHeights: Record<DiagnosticOutcome, string> = {
  passed: 'h-3 bg-success forced-colors:bg-[Highlight]',
  failed: 'h-[1.875rem] bg-destructive forced-colors:bg-[CanvasText]',
  tolerated: 'h-[1.125rem] border border-warning bg-warning-soft',
  skipped: 'h-1.5 border border-border bg-secondary',
}

/** Five metrics and a bar per check; failed bars are taller, not only red. */
export function DiagnosticsMetrics({
  results,
  pendingChecks,
}: {
  results: readonly CheckResult[]
  pendingChecks: readonly DiagnosticCheck[]
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
            <dd className={classNames('font-serif text-figure tabular-nums lining-nums phone:text-[1.625rem]', ink)}>
              {value}
            </dd>
          </div>
        ))}
      </dl>
      <div
        role="img"
        aria-label={labelParts.join(', ')}
        className="flex h-[3.25rem] min-w-0 flex-1 basis-72 items-end gap-1 phone:h-8 phone:basis-full phone:gap-[3px]"
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
          {total} {total === 1 ? 'check' : 'checks'} counted, {uncounted} optional or skipped.
        </p>
      )}
    </div>
  )
}
