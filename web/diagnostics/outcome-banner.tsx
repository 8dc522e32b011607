import { CircleAlert, CircleCheck, ClipboardCheck, Copy, TriangleAlert } from 'lucide-react'
import { Button } from '#web/ui/controls/button.tsx'
import { classNames } from '#web/ui/hooks/class-names.ts'
import { getVerdict, type OverallStatus, summarize } from './report.ts'
import { allChecks } from './run-checks.ts'
import type { Diagnosis } from './use-diagnostics.ts'

const outcomeStyles: Record<OverallStatus, { tint: string; ink: string; Icon: typeof CircleCheck }> = {
  ALL_PASS: { tint: 'bg-success-soft', ink: 'text-success', Icon: CircleCheck },
  PARTIAL_PASS: { tint: 'bg-warning-soft', ink: 'text-warning', Icon: TriangleAlert },
  ALL_FAIL: { tint: 'bg-destructive-soft', ink: 'text-destructive', Icon: CircleAlert },
}

interface OutcomeBannerProps {
  diagnosis: Diagnosis
  signedIn: boolean
  onCopy: () => void
}

export function OutcomeBanner({ diagnosis, signedIn, onCopy }: OutcomeBannerProps) {
  const { results, stopped, copied } = diagnosis
  const { overallStatus } = summarize(results)
  const { tint, ink, Icon } = outcomeStyles[stopped && overallStatus === 'ALL_PASS' ? 'PARTIAL_PASS' : overallStatus]
  const { headline, notes } = getVerdict(results, { totalChecks: allChecks.length, signedIn, stopped })
  return (
    <div
      className={classNames(
        'mb-5 flex min-h-[44px] flex-wrap items-center gap-x-2.5 gap-y-1 rounded-md border border-transparent px-4 py-2 text-ui forced-colors:border-current',
        tint,
      )}
    >
      <Icon aria-hidden size={17} className={classNames('shrink-0', ink)} />
      <p className="min-w-0 flex-1 basis-56 wrap-break-word">
        <strong className="font-semibold">{headline}</strong> {notes}
      </p>
      {copied === 'yes' ? (
        <span className="inline-flex h-7 items-center gap-1.5 px-2.5 text-small font-label phone:ms-4">
          <ClipboardCheck aria-hidden size={14} />
          Report copied
        </span>
      ) : (
        <Button
          variant="plain"
          size="small"
          className="phone:ms-4"
          icon={<Copy aria-hidden size={14} />}
          onClick={onCopy}
        >
          Copy report
        </Button>
      )}
    </div>
  )
}
