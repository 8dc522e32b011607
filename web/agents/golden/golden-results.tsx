import { Link } from 'react-router'
import type { GoldenAnswer, GoldenResult, GoldenRun } from '#contract/agents/golden-questions.ts'
import { Badge } from '#web/ui/panels/badge.tsx'
import { getRunPath } from '../agent-addresses.ts'
import { CollapsibleText } from '../runs/collapsible-text.tsx'
import { formatDuration, formatRunCost } from '../runs/run-texts.ts'
import { getComparedColumns, ModelColumns } from '../succession/model-columns.tsx'
import { hasFlipped } from './golden-outcome.ts'

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
            <p className="mt-0.5 text-small text-muted-foreground wrap-anywhere whitespace-pre-wrap">
              {result.judged_by === 'contains' ? 'Must contain: ' : 'Judged against: '}
              {result.expectation}
            </p>
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
        <span className="flex-1 font-label">{title}</span>
        {answer?.mock_mode && <Badge tone="warning">mock_mode</Badge>}
        {answer && <Badge tone={answer.passed ? 'success' : 'destructive'}>{answer.passed ? 'pass' : 'fail'}</Badge>}
      </p>
      {answer ? (
        <>
          <CollapsibleText text={answer.answer || 'No answer.'} className="font-serif text-[15px] leading-[22px]" />
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
            {answer.run_id && (
              <Link to={getRunPath(answer.run_id)} target="_blank" className="rounded-xs text-foreground underline">
                View run
              </Link>
            )}
            {answer.judge_run_id && (
              <Link
                to={getRunPath(answer.judge_run_id)}
                target="_blank"
                className="rounded-xs text-foreground underline"
              >
                View judge
              </Link>
            )}
          </p>
        </>
      ) : (
        <p className="text-small text-muted-foreground">{fallback}</p>
      )}
    </section>
  )
}
