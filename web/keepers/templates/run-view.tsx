import { useQueryClient } from '@tanstack/react-query'
import { ArrowLeft, ArrowRight, Check } from 'lucide-react'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import {
  engagementTemplates,
  isAnswered,
  type TemplateAnswers,
  type TemplateRun,
} from '#contract/keepers/engagement-templates.ts'
import { ApiError, call } from '#web/api.ts'
import { getConflict } from '#web/offline/conflict-dialog.tsx'
import { StaleBanner } from '#web/offline/stale-banner.tsx'
import { useDraft } from '#web/offline/use-draft.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { getLocalTimeZone } from '#web/ui/format-time.ts'
import { onSendKey } from '#web/ui/on-send-key.ts'
import { ProgressBar } from '#web/ui/progress-bar.tsx'
import { ReadOnlyWhile } from '#web/ui/read-only-while.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { templatesAddress } from '../keeper-addresses.ts'
import { keeperKey } from '../keeper-queries.ts'
import { AnswerField } from './answer-field.tsx'
import { RunFinished, RunWaits } from './run-ends.tsx'
import { answerTrialRun, getPreviousPosition, getProgress, getStartPosition, type Position } from './run-position.ts'
import { invalidateTemplates } from './template-queries.ts'
import { findUnsentSteps, mergeAnswers } from './unsent-answers.ts'

interface Answering extends Position {
  rev: number
  answers: TemplateRun['answers']
  /** The server's answers at that revision. Missing in drafts of earlier versions of Keeper. */
  sent?: TemplateRun['answers']
}

interface RunViewProps {
  run: TemplateRun
  /** A trial stays in the page and is never saved. */
  trial?: boolean
}

/** Shows one question at a time. Drafts are stored in this browser, answered questions on the server. */
export function RunView({ run: savedRun, trial = false }: RunViewProps) {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const [trialRun, setTrialRun] = useState<TemplateRun>()
  const run = trialRun ?? savedRun
  const draft = useDraft<Answering>(`template-run/${run.id}/${trial ? run.template.id : ''}`, {
    ...getStartPosition(run),
    rev: run.rev,
    answers: run.answers,
    sent: run.answers,
  })
  const [busy, setBusy] = useState(false)
  const [uploading, setUploading] = useState(false)
  const [errors, setErrors] = useState<Record<string, string>>({})
  const [problem, setProblem] = useState<string>()
  const [newer, setNewer] = useState<TemplateRun>()
  const card = useRef<HTMLDivElement>(null)
  const moved = useRef(false)
  const { answers, rev, sent = run.answers } = draft.value
  const latest = useRef(draft.value)
  latest.current = draft.value
  const position = clampPosition(run, draft.value)
  const step = run.steps[position.step]
  const field = step?.fields[position.at]
  const stepAnswers: TemplateAnswers = answers[position.step] ?? {}
  const { number, all } = getProgress(run.steps, position)
  const earlier = getPreviousPosition(run.steps, position)
  const endsStep = position.at >= (step?.fields.length ?? 0) - 1
  const endsAll = endsStep && position.step === run.steps.length - 1
  const positionKey = `${position.step} ${position.at}`

  // Keyboard and screen reader users continue in the next question's input.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a question change moves the focus
  useEffect(() => {
    if (moved.current) card.current?.querySelector<HTMLElement>('textarea, input:not([hidden]), button')?.focus()
  }, [positionKey])

  if (!draft.ready) return <Skeleton className="mx-auto h-72 max-w-[640px]" />
  if (run.finishedAt !== null) return <RunFinished run={run} trial={trial} />
  if (isWaiting(position.step)) return <RunWaits run={run} onBack={earlier && (() => go(earlier))} />

  function isWaiting(at: number): boolean {
    return run.waitUntil !== null && Date.parse(run.waitUntil) > Date.now() && at === run.step
  }

  function go(to: Position, change: Partial<Answering> = {}) {
    moved.current = true
    setErrors({})
    setProblem(undefined)
    // Includes answers given while the request was running.
    draft.set({ ...latest.current, ...change, ...to })
  }

  function answer(value: TemplateAnswers[string] | undefined) {
    if (!field) return
    const { [field.key]: _, ...otherAnswers } = stepAnswers
    const next = value === undefined ? otherAnswers : { ...otherAnswers, [field.key]: value }
    const list = run.steps.map((_step, at) => (at === position.step ? next : (answers[at] ?? {})))
    setErrors({})
    draft.set({ ...position, rev, answers: list, sent })
  }

  /** Resolves to the updated run, or `undefined` after showing the error. */
  async function send(done: boolean, at = position.step, onRev = rev): Promise<TemplateRun | undefined> {
    if (trial) {
      const updatedRun = answerTrialRun(run, { step: at, answers: stepAnswers, done })
      setTrialRun(updatedRun)
      return updatedRun
    }
    try {
      const updatedRun = await call(engagementTemplates.answerStep, {
        params: { runId: run.id },
        body: { answers: answers[at] ?? {}, step: at, done, timezone: getLocalTimeZone() },
        ifMatch: onRev,
      })
      queryClient.setQueryData(keeperKey(run.keeperId, 'template-run', run.id), updatedRun)
      if (done) void invalidateTemplates(queryClient)
      return updatedRun
    } catch (reason) {
      const both = getConflict<TemplateRun>(reason)
      if (both) setNewer(both.current)
      else if (reason instanceof ApiError) showRefusal(reason, at)
      else setProblem('The server couldn’t be reached. Your answers are safe in this browser. Continue when it’s back.')
      return undefined
    }
  }

  function showRefusal(reason: ApiError, at: number) {
    const named = Object.fromEntries(
      Object.entries(reason.fields ?? {}).map(([name, text]) => [name.replace(/^answers\./, ''), text]),
    )
    const wrong = run.steps[at]?.fields.findIndex(({ key }) => Object.hasOwn(named, key)) ?? -1
    if (wrong >= 0) go({ step: at, at: wrong })
    setErrors(named)
    if (wrong < 0)
      setProblem(reason.serverMessage ?? 'Your answer couldn’t be saved on the server. It’s safe in this browser.')
  }

  async function next(event?: FormEvent) {
    event?.preventDefault()
    if (busy || uploading) return
    if (field?.required && !isAnswered(stepAnswers[field.key])) {
      setErrors({ [field.key]: 'Answer this question.' })
      card.current?.querySelector<HTMLElement>('textarea, input:not([hidden])')?.focus()
      return
    }
    setBusy(true)
    setProblem(undefined)
    const updatedRun = await send(endsStep)
    setBusy(false)
    if (!updatedRun) return
    if (updatedRun.finishedAt !== null) draft.clear()
    else if (!endsStep)
      go({ step: position.step, at: position.at + 1 }, { rev: updatedRun.rev, sent: updatedRun.answers })
    else
      go(
        { step: Math.min(position.step + 1, run.steps.length - 1), at: 0 },
        { rev: updatedRun.rev, sent: updatedRun.answers },
      )
  }

  async function later() {
    if (busy) return
    setBusy(true)
    // Going back can leave unsent answers in later steps; a waiting step accepts none.
    const otherSteps = findUnsentSteps({ answers, sent }).filter(
      (at) => at !== position.step && at <= run.step && !isWaiting(at),
    )
    let updatedRun: TemplateRun | undefined
    for (const at of [position.step, ...otherSteps]) {
      updatedRun = await send(false, at, updatedRun?.rev)
      if (!updatedRun) break
      draft.set({ ...latest.current, ...position, rev: updatedRun.rev, sent: updatedRun.answers })
    }
    setBusy(false)
    if (!updatedRun) return
    navigate(templatesAddress(run.keeperId))
  }

  return (
    <div className="mx-auto flex max-w-[640px] flex-col gap-4">
      {trial && <Banner tone="info">You’re trying this template. Your answers aren’t saved.</Banner>}
      {newer && (
        <StaleBanner
          subject="This answer"
          onTakeRemote={() => {
            setNewer(undefined)
            queryClient.setQueryData(keeperKey(run.keeperId, 'template-run', run.id), newer)
            go(getStartPosition(newer), { rev: newer.rev, answers: newer.answers, sent: newer.answers })
          }}
          onKeepLocal={() => {
            setNewer(undefined)
            queryClient.setQueryData(keeperKey(run.keeperId, 'template-run', run.id), newer)
            const mergedAnswers = mergeAnswers(newer.answers, { answers, sent })
            go(position, { rev: newer.rev, answers: mergedAnswers, sent: newer.answers })
          }}
        />
      )}
      <div>
        <p className="mb-1.5 flex flex-wrap items-baseline justify-between gap-x-3 text-small text-muted-foreground">
          <span className="font-medium wrap-break-word">{run.template.label}</span>
          <span>
            Question {number} of {all}
          </span>
        </p>
        <ProgressBar label="Progress" value={number} max={all} valueText={`Question ${number} of ${all}`} />
      </div>
      {problem && <Banner tone="error">{problem}</Banner>}
      <form onSubmit={next} onKeyDown={onSendKey(() => void next())} noValidate aria-label={run.template.label}>
        <ReadOnlyWhile while={busy}>
          <Card kind="paper" className="flex flex-col gap-4" ref={card}>
            {run.steps.length > 1 && (
              <div>
                <h2 className="wrap-break-word">{step?.title}</h2>
                {step?.prompt && <p className="mt-1 text-muted-foreground wrap-break-word">{step.prompt}</p>}
              </div>
            )}
            {field ? (
              <AnswerField
                key={positionKey}
                large
                field={field}
                value={stepAnswers[field.key]}
                onChange={answer}
                error={errors[field.key]}
                onUploading={setUploading}
                {...(!trial && {
                  filesTo: { keeperId: run.keeperId, draftKey: `template-run/${run.id} ${positionKey}` },
                })}
              />
            ) : (
              <p className="text-muted-foreground">This step no longer has questions. Continue.</p>
            )}
            {step?.agentSlug && (
              <p className="text-ui">
                <a
                  href={`/studio/agents/${encodeURIComponent(step.agentSlug)}`}
                  target="_blank"
                  rel="noopener"
                  className="underline underline-offset-2"
                >
                  Ask {step.agentSlug} about it
                  <span className="sr-only"> (opens in a new tab)</span>
                </a>
              </p>
            )}
          </Card>
        </ReadOnlyWhile>
        <div className="mt-4 flex flex-wrap items-center gap-2">
          <Button
            disabled={!earlier || busy || uploading}
            onClick={() => earlier && go(earlier)}
            icon={<ArrowLeft aria-hidden size={15} />}
          >
            Back
          </Button>
          {!trial && (
            <Button variant="plain" disabled={busy || uploading} onClick={later}>
              Finish later
            </Button>
          )}
          <p role="status" className="flex-1 text-end text-small text-muted-foreground">
            {uploading && 'Uploading...'}
          </p>
          <Button
            type="submit"
            variant="primary"
            disabled={uploading}
            title={uploading ? 'You can continue once your files are uploaded.' : undefined}
            busy={busy}
            aria-keyshortcuts="Control+Enter"
            icon={endsAll ? <Check aria-hidden size={15} /> : <ArrowRight aria-hidden size={15} />}
            className={endsAll ? undefined : 'flex-row-reverse'}
          >
            {endsAll ? 'Finish' : 'Next'}
          </Button>
        </div>
      </form>
    </div>
  )
}

/** A draft may point past the end of a template that was changed since. */
function clampPosition(run: TemplateRun, { step, at }: Position): Position {
  const inRun = Math.min(step, run.step, run.steps.length - 1)
  const last = Math.max((run.steps[inRun]?.fields.length ?? 1) - 1, 0)
  return { step: inRun, at: Math.min(at, last) }
}
