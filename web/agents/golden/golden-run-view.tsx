import { Link } from 'react-router'
import type { ComparedModels, GoldenAnswer, GoldenResult, GoldenRun } from '#contract/agents/golden-questions.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { classNames } from '#web/ui/hooks/class-names.ts'
import { Badge } from '#web/ui/panels/badge.tsx'
import { ErrorText } from '#web/ui/panels/error-text.tsx'
import { ProgressBar } from '#web/ui/panels/progress-bar.tsx'
import { getRunPath } from '../agent-addresses.ts'
import { CollapsibleText } from '../runs/collapsible-text.tsx'
import { formatFullTime } from '../runs/log-texts.ts'
import { getReasonText } from '../runs/reason-text.ts'
import { MockBadge } from '../runs/run-status-badge.tsx'
import { formatDuration, formatRunCost } from '../runs/run-texts.ts'
import { getComparedColumns, ModelColumns } from '../succession/model-stats.tsx'
import { useStopGoldenRun } from './golden-queries.ts'

const statusPrefixes = { done: '', stopped: 'Stopped. ', interrupted: 'Cut off when the server stopped. ' } as const

export function GoldenRunView({ agentId, run }: { agentId: string; run: GoldenRun }) {
  const stopRun = useStopGoldenRun(agentId)
  const answeredCount = countAnswered(run)

  return (
    <>
      <div className="mb-3">
        {run.status === 'running' ? (
          <div className="flex flex-wrap items-center gap-3">
            <div className="min-w-40 flex-1">
              <p role="status" className="mb-1.5 text-ui tabular-nums">
                {answeredCount} of {run.total} answered
              </p>
              <ProgressBar
                label="Golden questions answered"
                value={answeredCount}
                max={run.total}
                valueText={`${answeredCount} of ${run.total}`}
              />
            </div>
            <Button size="small" busy={stopRun.isPending} onClick={() => stopRun.mutate(run.id)}>
              Stop
            </Button>
          </div>
        ) : (
          <p role="status" className="text-ui tabular-nums">
            {statusPrefixes[run.status]}
            <strong className="font-semibold">{getOutcomeText(run)}</strong>{' '}
            <span className="text-muted-foreground">
              {getRunLabel(run)} {formatFullTime(run.created_at)}
            </span>
          </p>
        )}
        <ErrorText className="mt-2">{stopRun.error && getReasonText(stopRun.error)}</ErrorText>
      </div>
      <GoldenResults run={run} />
    </>
  )
}

function getRunLabel({ models, unsaved }: GoldenRun): string {
  if (models) return 'Compared'
  return unsaved ? 'With changes,' : 'Saved version,'
}

export const hasFlipped = ({ before: previous, after: next }: GoldenResult) =>
  previous !== null && next !== null && previous.passed !== next.passed

export function countAnswered(run: GoldenRun): number {
  const lastAnsweredKey = run.models?.second === undefined ? 'after' : 'second'
  return run.results.filter((result) => result[lastAnsweredKey] !== null).length
}

export function getOutcomeText(run: GoldenRun): string {
  if (run.models) return getModelsOutcomeText(run, run.models)
  const { passed, total } = run
  const comparedCount = run.results.filter(({ before, after }) => before && after).length
  const flippedCount = run.results.filter(hasFlipped).length
  return [
    comparedCount > 0 && `${flippedCount} of ${total} changed.`,
    `${passed} of ${total} ${passed === 1 ? 'passes' : 'pass'}.`,
  ]
    .filter(Boolean)
    .join(' ')
}

function getModelsOutcomeText({ results, total }: GoldenRun, { after: candidate, second }: ComparedModels): string {
  const [passedFirst, passedSecond] = (['after', 'second'] as const).map(
    (key) => results.filter((result) => result[key]?.passed).length,
  )
  const firstText = `${candidate} passes ${passedFirst} of ${total}`
  return second === undefined ? `${firstText}.` : `${firstText}, ${second} ${passedSecond} of ${total}.`
}

export function GoldenResults({ run }: { run: GoldenRun }) {
  const { models } = run
  const currentTitle = run.unsaved ? 'With these changes' : `Version ${run.base_version}, latest run`
  const previousTitle = run.unsaved ? `Version ${run.base_version}` : `Version ${run.base_version}, previous run`
  return (
    <div className="@container">
      {models && <ModelColumns run={run} models={models} />}
      <ol aria-label="Answers to the golden questions" className="flex flex-col">
        {run.results.map((result, index) => (
          <li key={result.question_id} className="border-b border-hairline py-3.5 first:pt-0 last:border-b-0 last:pb-0">
            <p className="text-ui font-semibold wrap-anywhere whitespace-pre-wrap">
              {index + 1}. {result.question} {!models && hasFlipped(result) && <Badge tone="warning">changed</Badge>}
            </p>
            <Expectation {...result} />
            {models ? (
              <div className="mt-2 grid grid-cols-1 gap-3 @min-[720px]:grid-cols-3">
                {getComparedColumns(models).map(({ key, model }) => (
                  <AnswerBox
                    key={key}
                    title={model}
                    answer={result[key]}
                    fallback={key === 'before' ? getMissingPreviousText(run, result) : getMissingCurrentText(run)}
                  />
                ))}
              </div>
            ) : (
              <div className="mt-2 grid grid-cols-1 gap-3 @min-[560px]:grid-cols-2">
                <AnswerBox
                  title={previousTitle}
                  answer={result.before}
                  fallback={getMissingPreviousText(run, result)}
                />
                <AnswerBox title={currentTitle} answer={result.after} fallback={getMissingCurrentText(run)} />
              </div>
            )}
          </li>
        ))}
      </ol>
    </div>
  )
}

interface ExpectationProps extends Pick<GoldenResult, 'judged_by' | 'expectation'> {
  className?: string
}

export function Expectation({ judged_by, expectation, className }: ExpectationProps) {
  return (
    <p className={classNames('mt-0.5 text-small text-muted-foreground wrap-anywhere whitespace-pre-wrap', className)}>
      {judged_by === 'contains' ? 'Must contain: ' : 'Judged against: '}
      {expectation}
    </p>
  )
}

function getMissingPreviousText({ unsaved, status }: GoldenRun, { after: next }: GoldenResult): string {
  if (!unsaved) return 'Not asked yet.'
  return status === 'running' && !next ? 'Waiting' : 'Not asked.'
}

function getMissingCurrentText({ status }: GoldenRun): string {
  if (status === 'running') return 'Waiting'
  return status === 'interrupted' ? 'Not asked: the run was cut off.' : 'Not asked: the run was stopped.'
}

interface AnswerBoxProps {
  title: string
  answer: GoldenAnswer | null
  fallback: string
}

function AnswerBox({ title, answer, fallback }: AnswerBoxProps) {
  return (
    <section aria-label={title} className="min-w-0 border-s-2 border-border py-0.5 ps-3">
      <p className="mb-1.5 flex flex-wrap items-center gap-1.5 text-small text-muted-foreground">
        <span dir="auto" className="flex-1 font-label">
          {title}
        </span>
        {answer?.mock_mode && <MockBadge />}
        {answer && <Badge tone={answer.passed ? 'success' : 'destructive'}>{answer.passed ? 'pass' : 'fail'}</Badge>}
      </p>
      {answer ? (
        <>
          <CollapsibleText
            text={answer.answer || 'No answer.'}
            className="font-serif text-[0.9375rem] leading-[1.375rem]"
          />
          {answer.reason && (
            <p className={answer.passed ? 'mt-1.5 text-small' : 'mt-1.5 text-small text-destructive'}>
              {answer.reason}
            </p>
          )}
          <p className="mt-2 flex flex-wrap gap-x-3 gap-y-1 text-small text-muted-foreground tabular-nums">
            <span>
              {answer.input_tokens.toLocaleString('en-US')} + {answer.output_tokens.toLocaleString('en-US')} tokens
            </span>
            <span>{formatDuration(answer.ms)}</span>
            <span>{formatRunCost(answer.cost_usd)}</span>
            <AnswerRunLink runId={answer.run_id} text="View run" />
            <AnswerRunLink runId={answer.judge_run_id} text="View judge" />
          </p>
        </>
      ) : (
        <p className="text-small text-muted-foreground">{fallback}</p>
      )}
    </section>
  )
}

function AnswerRunLink({ runId, text }: { runId: string | null; text: string }) {
  if (!runId) return null
  return (
    <Link dir="auto" to={getRunPath(runId)} target="_blank" className="rounded-xs text-foreground underline">
      {text}
    </Link>
  )
}
