import { ChevronRight } from 'lucide-react'
import { useState } from 'react'
import type { RunDetail, RunSpan } from '#contract/agents/runs.ts'
import { formatDuration, formatRunCost } from '#web/agents/runs/run-texts.ts'
import type { RunView } from '#web/agents/runs/run-view.ts'
import { layoutWaterfall, spanPigments } from '#web/agents/runs/span-waterfall.tsx'
import { classNames } from '#web/ui/hooks/class-names.ts'

interface RunTraceProps {
  view: RunView
  /** Set once finished; includes the usage of each step. */
  run: RunDetail | undefined
}

/** Compact trace of a run, with details on click. */
export function RunTrace({ view, run }: RunTraceProps) {
  const spans = run?.spans ?? view.spans
  const usage = run?.usage ?? view.usage
  const ms = run?.execution_time_ms ?? view.ms
  const [openSpanId, setOpenSpanId] = useState<string>()
  const endMs = ms ?? Math.max(0, ...spans.map((span) => span.ended_ms ?? span.started_ms))
  const { rows } = layoutWaterfall(spans, new Set(), endMs)
  if (rows.length === 0) return null
  const tokens = usage && usage.input_tokens + usage.output_tokens
  return (
    <section aria-label="Trace" className="mt-3 border-t border-hairline pt-2.5">
      <dl className="mb-1.5 flex flex-wrap gap-x-5 gap-y-1">
        <TraceStat label="time" value={formatDuration(ms)} />
        <TraceStat
          label={usage?.estimated ? 'tokens (approx.)' : 'tokens'}
          value={tokens === undefined ? '–' : tokens.toLocaleString('en-US')}
        />
        <TraceStat label="cost" value={formatRunCost(usage?.cost_usd)} />
      </dl>
      <ol>
        {rows.map(({ span, depth, start, width, ms: durationMs }) => {
          const isOpen = openSpanId === span.id
          const failed = span.failure !== null && span.failure !== 'stopped'
          return (
            <li key={span.id}>
              <button
                type="button"
                aria-expanded={isOpen}
                onClick={() => setOpenSpanId(isOpen ? undefined : span.id)}
                className="grid w-full grid-cols-[minmax(0,1fr)_64px_60px] items-center gap-2 rounded-sm px-1 py-1 text-start text-small leading-[18px] hover:bg-fill-hover focus-visible:-outline-offset-2"
              >
                <span
                  className="flex min-w-0 items-center gap-1.5"
                  style={{ paddingInlineStart: Math.min(depth, 5) * 10 }}
                >
                  <ChevronRight
                    aria-hidden
                    size={12}
                    className={classNames('shrink-0 text-muted-foreground', isOpen && 'rotate-90')}
                  />
                  <span aria-hidden className={classNames('size-2 shrink-0 rounded-[3px]', spanPigments[span.kind])} />
                  <span className="truncate">{span.name}</span>
                  <span className="sr-only">{`, ${span.kind}${failed ? ', failed' : ''}`}</span>
                </span>
                <span aria-hidden className="relative h-2 rounded-xs bg-muted">
                  <span
                    className={classNames(
                      'absolute inset-y-0 min-w-[2px] rounded-xs',
                      failed ? 'bg-destructive' : spanPigments[span.kind],
                      span.ended_ms === null && 'animate-pulse',
                    )}
                    style={{ left: `${start * 100}%`, width: `${width * 100}%` }}
                  />
                </span>
                <span className="text-end text-muted-foreground tabular-nums">{formatDuration(durationMs)}</span>
              </button>
              {isOpen && <SpanUsage span={span} />}
            </li>
          )
        })}
      </ol>
    </section>
  )
}

function SpanUsage({ span: { kind, model, usage, failure } }: { span: RunSpan }) {
  const details = [
    kind,
    model,
    usage &&
      `in ${usage.input_tokens.toLocaleString('en-US')}, out ${usage.output_tokens.toLocaleString('en-US')} tokens`,
    usage && `cost ${formatRunCost(usage.cost_usd)}`,
  ].filter(Boolean)
  return (
    <p className="ps-[30px] pe-1 pb-1.5 text-small text-muted-foreground tabular-nums">
      {details.join(' · ')}
      {failure && <span className="block text-destructive">{failure}</span>}
    </p>
  )
}

function TraceStat({ label, value }: { label: string; value: string }) {
  return (
    <div className="flex items-baseline gap-1.5">
      <dd className="font-serif text-[16px] leading-5 tabular-nums">{value}</dd>
      <dt className="order-last text-micro text-muted-foreground">{label}</dt>
    </div>
  )
}
