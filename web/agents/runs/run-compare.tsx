import { ArrowLeftRight } from 'lucide-react'
import { lazy, Suspense } from 'react'
import { Link } from 'react-router'
import type { RunDetail } from '#contract/agents/runs.ts'
import { getProviderName } from '#contract/providers/registry.ts'
import { LinkButton } from '#web/ui/controls/link-button.tsx'
import { classNames } from '#web/ui/hooks/class-names.ts'
import { Card } from '#web/ui/panels/card.tsx'
import { ErrorPanel } from '#web/ui/panels/error-panel.tsx'
import { SkeletonRows } from '#web/ui/panels/skeleton.tsx'
import { useRunDetail } from '../agent-queries.ts'
import { formatFullTime, getAnswerText } from './log-texts.ts'
import { getReasonText } from './reason-text.ts'
import { LiveRun } from './run-answer.tsx'
import { RunSteps } from './run-panel.tsx'
import { RunStatusBadge } from './run-status-badge.tsx'
import { formatDuration, formatRunCost, getKeyText, getRunFailureText, hiddenText, originLabels } from './run-texts.ts'
import { isOwnRun, useElapsedMs, useLiveRun } from './use-live-run.ts'

const AnswerDiff = lazy(() => import('./answer-diff.tsx'))

export interface RunCompareProps {
  runId: string
  otherId: string
  swapPath: string
  getRunPath: (runId: string) => string
}

const sidesClasses = 'grid grid-cols-2 items-start gap-4 phone:grid-cols-1'
const headingClasses = 'font-sans text-ui leading-5 font-semibold tracking-normal'

export function RunCompare({ runId, otherId, swapPath, getRunPath }: RunCompareProps) {
  const first = useComparedRun(runId)
  const second = useComparedRun(otherId)
  const failedSide = [first, second].find((side) => side.error && !side.run)
  if (failedSide) {
    return (
      <ErrorPanel
        title={`Error loading logs: ${getReasonText(failedSide.error, 'Failed to load logs')}`}
        onRetry={() => void Promise.all([first.refetch(), second.refetch()])}
        retrying={first.isFetching || second.isFetching}
        reason={failedSide.error}
      />
    )
  }
  if (!first.run || !second.run)
    return <SkeletonRows label="Loading the runs" count={3} rowClassName="h-40 rounded-lg" />
  const [firstRun, secondRun] = [first.run, second.run]
  const axisMs = Math.max(first.elapsedMs, second.elapsedMs)
  return (
    <div className="flex flex-col gap-4">
      <div className={sidesClasses}>
        {[first, second].map((side, index) => (
          <ComparedRunHeader
            key={side.run?.id ?? index}
            name={index === 0 ? 'First run' : 'Second run'}
            side={side}
            getRunPath={getRunPath}
          />
        ))}
      </div>
      <Card padded={false} className="overflow-hidden">
        <div className="flex flex-wrap items-center justify-between gap-3 px-[18px] py-2.5">
          <h2 className={headingClasses}>Differences</h2>
          <LinkButton to={swapPath} size="small" variant="plain" icon={<ArrowLeftRight aria-hidden size={13} />}>
            Swap
          </LinkButton>
        </div>
        <ComparisonTable rows={compareDetails(firstRun, secondRun, first.elapsedMs, second.elapsedMs)} />
        <h3 className={`${headingClasses} border-t border-border px-[18px] pt-3 pb-1`}>Settings</h3>
        {isOwnRun(firstRun) && isOwnRun(secondRun) ? (
          <ComparisonTable rows={compareSettings(firstRun, secondRun)} />
        ) : (
          <p className="px-[18px] pb-3 text-ui text-muted-foreground">
            Settings are visible only to the person who started the run.
          </p>
        )}
      </Card>
      <Card padded={false} className="overflow-hidden">
        <h2 className={`${headingClasses} px-[18px] py-2.5`}>Answers</h2>
        <Suspense fallback={<p className="px-[18px] pb-4 text-ui text-muted-foreground">Comparing the answers</p>}>
          <AnswerDiff firstAnswer={getAnswerText(firstRun)} secondAnswer={getAnswerText(secondRun)} />
        </Suspense>
      </Card>
      <div className={sidesClasses}>
        {[first, second].map(
          ({ run, view }) =>
            run && (
              <Card key={run.id} padded={false} className="overflow-hidden">
                <h2 className={`${headingClasses} px-[18px] pt-2.5`}>Steps</h2>
                <RunSteps run={run} liveSpans={view?.spans} endMs={axisMs} />
              </Card>
            ),
        )}
      </div>
    </div>
  )
}

function useComparedRun(runId: string) {
  const query = useRunDetail(runId)
  return { ...query, run: query.data, elapsedMs: useElapsedMs(query.data), ...useLiveRun(query) }
}
type ComparedRun = ReturnType<typeof useComparedRun>

interface ComparedRunHeaderProps {
  name: string
  side: ComparedRun
  getRunPath: (runId: string) => string
}

function ComparedRunHeader({ name, side: { run, view, stop }, getRunPath }: ComparedRunHeaderProps) {
  if (!run) return null
  return (
    <Card padded={false} className="overflow-hidden">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 px-[18px] py-3">
        <h2 className="min-w-0 flex-1 text-h3">
          <Link to={getRunPath(run.id)} className="rounded-xs hover:underline">
            <span className="sr-only">{name}: </span>
            {run.agent?.name ?? 'Unknown Agent'}
          </Link>
        </h2>
        <RunStatusBadge status={run.status} />
        <p className="basis-full text-small text-muted-foreground tabular-nums">{formatFullTime(run.created_at)}</p>
        <p className="basis-full line-clamp-3 text-ui wrap-anywhere">
          {run.input || <span className="text-muted-foreground">{hiddenText}</span>}
        </p>
        {run.status !== 'running' && run.status !== 'success' && (
          <p
            className={classNames(
              'basis-full text-ui wrap-anywhere',
              run.status === 'stopped' ? 'text-muted-foreground' : 'text-destructive',
            )}
          >
            {getRunFailureText(run.status, run.error)}
          </p>
        )}
      </div>
      {view && (
        <div className="border-t border-border [&>div]:border-b-0">
          <LiveRun view={view} agentSlug={run.agent?.slug} onStop={stop} />
        </div>
      )}
    </Card>
  )
}

function ComparisonTable({ rows }: { rows: ComparisonRow[] }) {
  return (
    <table className="w-full table-fixed border-t border-hairline text-ui">
      <thead className="sr-only">
        <tr>
          <th scope="col">Detail</th>
          <th scope="col">First run</th>
          <th scope="col">Second run</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ name, first, second, differs, note }) => (
          <tr
            key={name}
            data-differs={differs}
            className={classNames('border-b border-hairline last:border-b-0', differs && 'bg-info-soft')}
          >
            <th scope="row" className="w-1/4 px-[18px] py-1.5 text-start font-book text-muted-foreground phone:px-3">
              {name}
            </th>
            <td className="px-2 py-1.5 align-top wrap-anywhere whitespace-pre-wrap tabular-nums">{first}</td>
            <td
              className={classNames(
                'px-2 py-1.5 align-top wrap-anywhere whitespace-pre-wrap tabular-nums',
                differs ? 'font-semibold' : 'text-muted-foreground',
              )}
            >
              {differs ? second : <span title={second}>the same</span>}
              {note && <span className="ms-2 font-book text-small text-muted-foreground">{note}</span>}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

export interface ComparisonRow {
  name: string
  first: string
  second: string
  differs: boolean
  note?: string
}

export function compareDetails(
  firstRun: RunDetail,
  secondRun: RunDetail,
  firstMs: number,
  secondMs: number,
): ComparisonRow[] {
  const formatCount = (value: number | null) => value?.toLocaleString('en-US') ?? '–'
  const createTextRow = (name: string, getValue: (run: RunDetail) => string) =>
    createRow(name, getValue(firstRun), getValue(secondRun))
  const createNumberRow = (
    name: string,
    first: number | null,
    second: number | null,
    format: (value: number | null) => string,
  ) => ({ ...createRow(name, format(first), format(second)), ...getDifferenceNote(first, second) })
  // Usage is final only once a run has finished.
  const createUsageRow = (
    name: string,
    field: 'input_tokens' | 'output_tokens' | 'cost_usd',
    format: (value: number | null) => string,
  ) => {
    const getValue = ({ status, usage }: RunDetail) => (status === 'running' ? null : usage[field])
    return createNumberRow(name, getValue(firstRun), getValue(secondRun), format)
  }
  return [
    createTextRow('Status', (run) => run.status),
    createNumberRow('Duration', firstMs, secondMs, formatDuration),
    createUsageRow('Tokens in', 'input_tokens', formatCount),
    createUsageRow('Tokens out', 'output_tokens', formatCount),
    createUsageRow('Cost', 'cost_usd', formatRunCost),
    createTextRow('Agent', (run) => (run.agent ? `${run.agent.name} v${run.agent_version}` : 'Unknown Agent')),
    createTextRow('Provider', (run) => getProviderName(run.model_provider)),
    createTextRow('Model', (run) => run.model),
    createTextRow('Key', (run) => getKeyText(run, isOwnRun(run))),
    createTextRow('Attempts', (run) => formatCount(run.attempts)),
    createTextRow('Origin', (run) => originLabels[run.origin]),
  ]
}

export function compareSettings(firstRun: RunDetail, secondRun: RunDetail): ComparisonRow[] {
  const [first, second] = [getSettings(firstRun), getSettings(secondRun)]
  const names = [...new Set([...Object.keys(first), ...Object.keys(second)])]
  return names.map((name) => createRow(name, first[name] ?? 'not set', second[name] ?? 'not set'))
}

function getSettings({ model_settings: settings, overrides, agent, agent_version }: RunDetail): Record<string, string> {
  const { retry, model: _model, ...plainSettings } = settings ?? {}
  return {
    purpose: overrides?.purpose ?? `from ${agent?.name ?? 'the agent'} v${agent_version}`,
    ...Object.fromEntries(Object.entries({ ...plainSettings, ...retry }).map(([name, value]) => [name, String(value)])),
  }
}

const createRow = (name: string, first: string, second: string): ComparisonRow => ({
  name,
  first,
  second,
  differs: first !== second,
})

function getDifferenceNote(first: number | null, second: number | null): { note?: string } {
  if (!first || second === null || first === second) return {}
  const percent = Math.round(((second - first) / first) * 100)
  if (percent === 0) return {}
  return { note: percent > 0 ? `${percent.toLocaleString('en-US')}% more` : `${-percent}% less` }
}
