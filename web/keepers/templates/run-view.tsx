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
import { conflictOf } from '#web/offline/conflict-dialog.tsx'
import { StaleBanner } from '#web/offline/stale-banner.tsx'
import { useDraft } from '#web/offline/use-draft.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { ownTimeZone } from '#web/ui/format-time.ts'
import { onSendKey } from '#web/ui/on-send-key.ts'
import { ProgressBar } from '#web/ui/progress-bar.tsx'
import { ReadOnlyWhile } from '#web/ui/read-only-while.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { templatesAddress } from '../keeper-addresses.ts'
import { keeperKey } from '../keeper-queries.ts'
import { AnswerField } from './answer-field.tsx'
import { RunFinished, RunWaits } from './run-ends.tsx'
import { answeredSample, before, type Position, progressOf, startOf } from './run-position.ts'
import { lookAgainAtTemplates } from './template-queries.ts'
import { answersOnto, unsentSteps } from './unsent-answers.ts'

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
export function RunView({ run: given, trial = false }: RunViewProps) {
  const queries = useQueryClient()
  const navigate = useNavigate()
  const [tried, setTried] = useState<TemplateRun>()
  const run = tried ?? given
  const draft = useDraft<Answering>(`template-run/${run.id}/${trial ? run.template.id : ''}`, {
    ...startOf(run),
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
  const position = within(run, draft.value)
  const step = run.steps[position.step]
  const field = step?.fields[position.at]
  const said: TemplateAnswers = answers[position.step] ?? {}
  const { number, all } = progressOf(run.steps, position)
  const earlier = before(run.steps, position)
  const endsStep = position.at >= (step?.fields.length ?? 0) - 1
  const endsAll = endsStep && position.step === run.steps.length - 1
  const place = `${position.step} ${position.at}`

  // Keyboard and screen reader users continue in the next question's input.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the question is what moves the focus
  useEffect(() => {
    if (moved.current) card.current?.querySelector<HTMLElement>('textarea, input:not([hidden]), button')?.focus()
  }, [place])

  if (!draft.ready) return <Skeleton className="mx-auto h-72 max-w-[640px]" />
  if (run.finishedAt !== null) return <RunFinished run={run} trial={trial} />
  if (rests(position.step)) return <RunWaits run={run} onBack={earlier && (() => go(earlier))} />

  function rests(at: number): boolean {
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
    const { [field.key]: _, ...others } = said
    const next = value === undefined ? others : { ...others, [field.key]: value }
    const list = run.steps.map((_step, at) => (at === position.step ? next : (answers[at] ?? {})))
    setErrors({})
    draft.set({ ...position, rev, answers: list, sent })
  }

  /** Resolves to the updated run, or `undefined` after showing the error. */
  async function send(done: boolean, at = position.step, onRev = rev): Promise<TemplateRun | undefined> {
    if (trial) {
      const after = answeredSample(run, { step: at, answers: said, done })
      setTried(after)
      return after
    }
    try {
      const after = await call(engagementTemplates.answerStep, {
        params: { runId: run.id },
        body: { answers: answers[at] ?? {}, step: at, done, timezone: ownTimeZone() },
        ifMatch: onRev,
      })
      queries.setQueryData(keeperKey(run.keeperId, 'template-run', run.id), after)
      if (done) void lookAgainAtTemplates(queries)
      return after
    } catch (reason) {
      const both = conflictOf<TemplateRun>(reason)
      if (both) setNewer(both.current)
      else if (reason instanceof ApiError) refused(reason, at)
      else
        setProblem('The server could not be reached. Your answers are safe in this browser. Continue when it’s back.')
      return undefined
    }
  }

  function refused(reason: ApiError, at: number) {
    const named = Object.fromEntries(
      Object.entries(reason.fields ?? {}).map(([name, text]) => [name.replace(/^answers\./, ''), text]),
    )
    const wrong = run.steps[at]?.fields.findIndex(({ key }) => Object.hasOwn(named, key)) ?? -1
    if (wrong >= 0) go({ step: at, at: wrong })
    setErrors(named)
    if (wrong < 0) setProblem(reason.told ?? 'It could not be saved on the server. It’s safe in this browser.')
  }

  async function next(event?: FormEvent) {
    event?.preventDefault()
    if (busy || uploading) return
    if (field?.required && !isAnswered(said[field.key])) {
      setErrors({ [field.key]: 'Answer this question.' })
      card.current?.querySelector<HTMLElement>('textarea, input:not([hidden])')?.focus()
      return
    }
    setBusy(true)
    setProblem(undefined)
    const after = await send(endsStep)
    setBusy(false)
    if (!after) return
    if (after.finishedAt !== null) draft.clear()
    else if (!endsStep) go({ step: position.step, at: position.at + 1 }, { rev: after.rev, sent: after.answers })
    else go({ step: Math.min(position.step + 1, run.steps.length - 1), at: 0 }, { rev: after.rev, sent: after.answers })
  }

  async function later() {
    if (busy) return
    setBusy(true)
    // Going back can leave unsent answers in later steps; a waiting step accepts none.
    const others = unsentSteps({ answers, sent }).filter((at) => at !== position.step && at <= run.step && !rests(at))
    let after: TemplateRun | undefined
    for (const at of [position.step, ...others]) {
      after = await send(false, at, after?.rev)
      if (!after) break
      draft.set({ ...latest.current, ...position, rev: after.rev, sent: after.answers })
    }
    setBusy(false)
    if (!after) return
    navigate(templatesAddress(run.keeperId))
  }

  return (
    <div className="mx-auto flex max-w-[640px] flex-col gap-4">
      {trial && <Banner tone="info">You’re trying this template. Your answers aren’t saved.</Banner>}
      {newer && (
        <StaleBanner
          what="This answer"
          onTakeTheirs={() => {
            setNewer(undefined)
            queries.setQueryData(keeperKey(run.keeperId, 'template-run', run.id), newer)
            go(startOf(newer), { rev: newer.rev, answers: newer.answers, sent: newer.answers })
          }}
          onKeepMine={() => {
            setNewer(undefined)
            queries.setQueryData(keeperKey(run.keeperId, 'template-run', run.id), newer)
            const mine = answersOnto(newer.answers, { answers, sent })
            go(position, { rev: newer.rev, answers: mine, sent: newer.answers })
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
                key={place}
                large
                field={field}
                value={said[field.key]}
                onChange={answer}
                error={errors[field.key]}
                onUploading={setUploading}
                {...(!trial && { filesTo: { keeperId: run.keeperId, place: `template-run/${run.id} ${place}` } })}
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
            title={uploading ? 'You can continue when your files are uploaded.' : undefined}
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
function within(run: TemplateRun, { step, at }: Position): Position {
  const inRun = Math.min(step, run.step, run.steps.length - 1)
  const last = Math.max((run.steps[inRun]?.fields.length ?? 1) - 1, 0)
  return { step: inRun, at: Math.min(at, last) }
}
