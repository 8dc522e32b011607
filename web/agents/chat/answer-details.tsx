import { Info } from 'lucide-react'
import { Link } from 'react-router'
import { IconButton } from '#web/ui/controls/icon-button.tsx'
import { Popover } from '#web/ui/overlays/popover.tsx'
import { DetailList } from '#web/ui/panels/detail-list.tsx'
import { SkeletonRows } from '#web/ui/panels/skeleton.tsx'
import { getRunPath } from '../agent-addresses.ts'
import { useRunDetail } from '../agent-queries.ts'
import { getReasonText } from '../runs/reason-text.ts'
import { formatDuration, getKeyText } from '../runs/run-texts.ts'
import { isOwnRun } from '../runs/use-live-run.ts'

export function AnswerDetails({ runId, className }: { runId: string; className?: string }) {
  return (
    <Popover
      label="Answer details"
      side="top"
      trigger={
        <IconButton label="Details" size="small" className={className}>
          <Info aria-hidden size={14} />
        </IconButton>
      }
    >
      <AnswerDetailList runId={runId} />
    </Popover>
  )
}

function AnswerDetailList({ runId }: { runId: string }) {
  const { data: run, error } = useRunDetail(runId)
  if (error) return <p className="text-ui">The details couldn’t be loaded: {getReasonText(error)}</p>
  if (!run) return <SkeletonRows count={5} rowClassName="h-3.5" className="flex w-52 flex-col gap-2.5" />
  const { usage } = run
  const about = usage.estimated ? 'about ' : ''
  const details: [string, string][] = [
    ['Cost', usage.cost_usd === null ? 'Unknown for this model' : formatCost(usage.cost_usd, usage.estimated)],
    [
      'Tokens',
      `${about}${usage.input_tokens.toLocaleString('en-US')} in, ${usage.output_tokens.toLocaleString('en-US')} out`,
    ],
    ['Time', formatDuration(run.execution_time_ms)],
    ['Model', run.model],
    ['Key', getKeyText(run, isOwnRun(run))],
  ]
  return (
    <div className="font-sans">
      <DetailList details={details} valueClassName="tabular-nums" />
      <p className="mt-3 text-ui">
        <Link to={getRunPath(runId)} className="rounded-xs underline underline-offset-2">
          Open the run in the logs
        </Link>
      </p>
    </div>
  )
}

/** 'Nothing', 'about 0.4 cent', '12 cents', '$3.40'. */
export function formatCost(dollars: number, estimated: boolean): string {
  if (dollars === 0) return 'Nothing'
  return estimated ? `about ${formatSmallAmount(dollars)}` : formatSmallAmount(dollars)
}

function formatSmallAmount(dollars: number): string {
  if (dollars >= 1) return `$${dollars.toFixed(2)}`
  const cents = dollars * 100
  if (cents < 0.001) return 'less than 0.001 cent'
  const digits = cents >= 10 ? 0 : Math.max(1, -Math.floor(Math.log10(cents)))
  const text = cents.toFixed(digits).replace(/\.0$/, '')
  return `${text} ${Number(text) > 1 ? 'cents' : 'cent'}`
}
