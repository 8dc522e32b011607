import { useQueryClient } from '@tanstack/react-query'
import { ArrowLeft, ArrowRight, BookOpen, Check } from 'lucide-react'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import {
  engagementTemplates,
  isAnswered,
  type TemplateAnswers,
  type TemplateRun,
  type TemplateTarget,
} from '#contract/keepers/engagement-templates.ts'
import { getEntryPath } from '#contract/keepers/entry-address.ts'
import { ApiError, call } from '#web/api/api.ts'
import { ConflictDialog, getConflict, getConflictFields } from '#web/offline/conflict-dialog.tsx'
import { useDraft } from '#web/offline/use-draft.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { LinkButton } from '#web/ui/controls/link-button.tsx'
import { sendOnKey } from '#web/ui/fields/field-keys.ts'
import { ReadOnlyWhile } from '#web/ui/fields/read-only-while.tsx'
import { Banner } from '#web/ui/panels/banner.tsx'
import { Card } from '#web/ui/panels/card.tsx'
import { ProgressBar } from '#web/ui/panels/progress-bar.tsx'
import { Skeleton } from '#web/ui/panels/skeleton.tsx'
import { getLocalTimeZone } from '#web/ui/text/format-time.ts'
import { Time } from '#web/ui/text/time.tsx'
import { getTemplatesPath } from '../keeper-addresses.ts'
import { keeperKey } from '../keeper-queries.ts'
import { AnswerField } from './answer-field.tsx'
import {
  answerTrialRun,
  findUnsentSteps,
  getPreviousPosition,
  getProgress,
  getStartPosition,
  mergeAnswers,
  type QuestionPosition,
} from './run-position.ts'
import { invalidateTemplates } from './template-queries.ts'

interface RunDraft extends QuestionPosition {
  rev: number
  answers: TemplateRun['answers']
  /** The server's answers at that revision. Missing in drafts of earlier versions of Keeper. */
  sent?: TemplateRun['answers']
}

interface SendOptions {
  isStepDone: boolean
  stepIndex?: number
  baseRev?: number | undefined
}

interface TemplateRunViewProps {
  run: TemplateRun
  /** A trial stays in the page and is never saved. */
  isTrial?: boolean
}

/** Shows one question at a time. Drafts are stored in this browser, answered questions on the server. */
export function TemplateRunView({ run: savedRun, isTrial = false }: TemplateRunViewProps) {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const [trialRun, setTrialRun] = useState<TemplateRun>()
  const run = trialRun ?? savedRun
  const draft = useDraft<RunDraft>(`template-run/${run.id}/${isTrial ? run.template.id : ''}`, {
    ...getStartPosition(run),
    rev: run.rev,
    answers: run.answers,
    sent: run.answers,
  })
  const [isBusy, setBusy] = useState(false)
  const [isUploading, setUploading] = useState(false)
  const [errors, setErrors] = useState<Record<string, string>>({})
  const [problem, setProblem] = useState<string>()
  const [newerRun, setNewerRun] = useState<TemplateRun>()
  const cardRef = useRef<HTMLDivElement>(null)
  const hasMovedRef = useRef(false)
  const { answers, rev, sent = run.answers } = draft.value
  const latestDraft = useRef(draft.value)
  latestDraft.current = draft.value
  const position = clampPosition(run, draft.value)
  const step = run.steps[position.step]
  const field = step?.fields[position.at]
  const stepAnswers: TemplateAnswers = answers[position.step] ?? {}
  const { number, total } = getProgress(run.steps, position)
  const previousPosition = getPreviousPosition(run.steps, position)
  const isLastField = position.at >= (step?.fields.length ?? 0) - 1
  const isLastQuestion = isLastField && position.step === run.steps.length - 1
  const positionKey = `${position.step} ${position.at}`

  // Keyboard and screen reader users continue in the next question's input.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a question change moves the focus
  useEffect(() => {
    if (hasMovedRef.current)
      cardRef.current?.querySelector<HTMLElement>('textarea, input:not([hidden]), button')?.focus()
  }, [positionKey])

  if (!draft.ready) return <Skeleton className="mx-auto h-72 max-w-[640px]" />
  if (run.finishedAt !== null) return <RunFinished run={run} isTrial={isTrial} />
  if (isWaiting(position.step))
    return <RunWaiting run={run} onBack={previousPosition && (() => goTo(previousPosition))} />

  function isWaiting(stepIndex: number): boolean {
    return run.waitUntil !== null && Date.parse(run.waitUntil) > Date.now() && stepIndex === run.step
  }

  function goTo(nextPosition: QuestionPosition, change: Partial<RunDraft> = {}) {
    hasMovedRef.current = true
    setErrors({})
    setProblem(undefined)
    // Includes answers given while the request was running.
    draft.set({ ...latestDraft.current, ...change, ...nextPosition })
  }

  function continueWith(remoteRun: TemplateRun, nextAnswers: TemplateRun['answers'], nextPosition: QuestionPosition) {
    setNewerRun(undefined)
    queryClient.setQueryData(keeperKey(run.keeperId, 'template-run', run.id), remoteRun)
    goTo(nextPosition, { rev: remoteRun.rev, answers: nextAnswers, sent: remoteRun.answers })
  }

  function setAnswer(value: TemplateAnswers[string] | undefined) {
    if (!field) return
    const { [field.key]: _, ...otherAnswers } = stepAnswers
    const updatedStepAnswers = value === undefined ? otherAnswers : { ...otherAnswers, [field.key]: value }
    const updatedAnswers = run.steps.map((_step, stepIndex) =>
      stepIndex === position.step ? updatedStepAnswers : (answers[stepIndex] ?? {}),
    )
    setErrors({})
    draft.set({ ...position, rev, answers: updatedAnswers, sent })
  }

  /** Resolves to the updated run, or `undefined` after showing the error. */
  async function send({ isStepDone, stepIndex = position.step, baseRev = rev }: SendOptions) {
    if (isTrial) {
      const updatedRun = answerTrialRun(run, { step: stepIndex, answers: stepAnswers, done: isStepDone })
      setTrialRun(updatedRun)
      return updatedRun
    }
    try {
      const updatedRun = await call(engagementTemplates.answerStep, {
        params: { runId: run.id },
        body: { answers: answers[stepIndex] ?? {}, step: stepIndex, done: isStepDone, timezone: getLocalTimeZone() },
        ifMatch: baseRev,
      })
      queryClient.setQueryData(keeperKey(run.keeperId, 'template-run', run.id), updatedRun)
      if (isStepDone) void invalidateTemplates(queryClient)
      return updatedRun
    } catch (reason) {
      const conflictingVersions = getConflict<TemplateRun>(reason)
      if (conflictingVersions) setNewerRun(conflictingVersions.current)
      else if (reason instanceof ApiError) showError(reason, stepIndex)
      else setProblem('The server couldn’t be reached. Your answers are safe in this browser. Continue when it’s back.')
      return undefined
    }
  }

  function showError(reason: ApiError, stepIndex: number) {
    const fieldErrors = Object.fromEntries(
      Object.entries(reason.fields ?? {}).map(([name, text]) => [name.replace(/^answers\./, ''), text]),
    )
    const invalidIndex = run.steps[stepIndex]?.fields.findIndex(({ key }) => Object.hasOwn(fieldErrors, key)) ?? -1
    if (invalidIndex >= 0) goTo({ step: stepIndex, at: invalidIndex })
    setErrors(fieldErrors)
    if (invalidIndex < 0)
      setProblem(reason.serverMessage ?? 'Your answer couldn’t be saved on the server. It’s safe in this browser.')
  }

  async function goToNext(event?: FormEvent) {
    event?.preventDefault()
    if (isBusy || isUploading) return
    if (field?.required && !isAnswered(stepAnswers[field.key])) {
      setErrors({ [field.key]: 'Answer this question.' })
      cardRef.current?.querySelector<HTMLElement>('textarea, input:not([hidden])')?.focus()
      return
    }
    setBusy(true)
    setProblem(undefined)
    const updatedRun = await send({ isStepDone: isLastField })
    setBusy(false)
    if (!updatedRun) return
    if (updatedRun.finishedAt !== null) draft.clear()
    else {
      const nextStep = { step: Math.min(position.step + 1, run.steps.length - 1), at: 0 }
      goTo(isLastField ? nextStep : { ...position, at: position.at + 1 }, {
        rev: updatedRun.rev,
        sent: updatedRun.answers,
      })
    }
  }

  async function finishLater() {
    if (isBusy) return
    setBusy(true)
    // Going back can leave unsent answers in later steps; a waiting step accepts none.
    const otherSteps = findUnsentSteps({ answers, sent }).filter(
      (stepIndex) => stepIndex !== position.step && stepIndex <= run.step && !isWaiting(stepIndex),
    )
    let updatedRun: TemplateRun | undefined
    for (const stepIndex of [position.step, ...otherSteps]) {
      updatedRun = await send({ isStepDone: false, stepIndex, baseRev: updatedRun?.rev })
      if (!updatedRun) break
      draft.set({ ...latestDraft.current, ...position, rev: updatedRun.rev, sent: updatedRun.answers })
    }
    setBusy(false)
    if (!updatedRun) return
    navigate(getTemplatesPath(run.keeperId))
  }

  return (
    <div className="mx-auto flex max-w-[640px] flex-col gap-4">
      {isTrial && <Banner tone="info">You’re trying this template. Your answers aren’t saved.</Banner>}
      {newerRun && (
        <ConflictDialog
          subject="This answer"
          fields={run.steps.flatMap((runStep, stepIndex) =>
            compareAnswers(runStep, answers[stepIndex], newerRun.answers[stepIndex]),
          )}
          conflictKey={`template-run/${run.id}`}
          onClose={() => setNewerRun(undefined)}
          onKeepRemote={() => continueWith(newerRun, newerRun.answers, getStartPosition(newerRun))}
          onKeepLocal={() => continueWith(newerRun, mergeAnswers(newerRun.answers, { answers, sent }), position)}
        />
      )}
      <div>
        <p className="mb-1.5 flex flex-wrap items-baseline justify-between gap-x-3 text-small text-muted-foreground">
          <span dir="auto" className="font-medium wrap-break-word">
            {run.template.label}
          </span>
          <span>
            Question {number} of {total}
          </span>
        </p>
        <ProgressBar label="Progress" value={number} max={total} valueText={`Question ${number} of ${total}`} />
      </div>
      {problem && <Banner tone="error">{problem}</Banner>}
      <form onSubmit={goToNext} onKeyDown={sendOnKey(() => void goToNext())} noValidate aria-label={run.template.label}>
        <ReadOnlyWhile while={isBusy}>
          <Card kind="paper" className="flex flex-col gap-4" ref={cardRef}>
            {run.steps.length > 1 && (
              <div>
                <h2 className="wrap-break-word">{step?.title}</h2>
                {step?.prompt && <p className="mt-1 text-muted-foreground wrap-break-word">{step.prompt}</p>}
              </div>
            )}
            {field ? (
              <AnswerField
                key={positionKey}
                isLarge
                field={field}
                value={stepAnswers[field.key]}
                onChange={setAnswer}
                error={errors[field.key]}
                onUploadingChange={setUploading}
                {...(!isTrial && {
                  uploadTarget: { keeperId: run.keeperId, draftKey: `template-run/${run.id} ${positionKey}` },
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
            disabled={!previousPosition || isBusy || isUploading}
            onClick={() => previousPosition && goTo(previousPosition)}
            icon={<ArrowLeft aria-hidden size={15} />}
          >
            Back
          </Button>
          {!isTrial && (
            <Button variant="plain" disabled={isBusy || isUploading} onClick={finishLater}>
              Finish later
            </Button>
          )}
          <p role="status" className="flex-1 text-end text-small text-muted-foreground">
            {isUploading && 'Uploading...'}
          </p>
          <Button
            type="submit"
            variant="primary"
            disabled={isUploading}
            title={isUploading ? 'You can continue once your files are uploaded.' : undefined}
            busy={isBusy}
            aria-keyshortcuts="Control+Enter"
            icon={isLastQuestion ? <Check aria-hidden size={15} /> : <ArrowRight aria-hidden size={15} />}
            className={isLastQuestion ? undefined : 'flex-row-reverse'}
          >
            {isLastQuestion ? 'Finish' : 'Next'}
          </Button>
        </div>
      </form>
    </div>
  )
}

function compareAnswers(
  { fields }: TemplateRun['steps'][number],
  local: TemplateAnswers = {},
  remote: TemplateAnswers = {},
) {
  const labels = new Map(fields.map(({ key, label }) => [key, label]))
  return getConflictFields(local, remote).map((field) => {
    const label = labels.get(field.name)
    return { ...field, ...(label !== undefined && { label }), isText: false }
  })
}

/** A draft can point past the end of a template that has been shortened since. */
function clampPosition(run: TemplateRun, { step, at }: QuestionPosition): QuestionPosition {
  const clampedStep = Math.min(step, run.step, run.steps.length - 1)
  const lastIndex = Math.max((run.steps[clampedStep]?.fields.length ?? 1) - 1, 0)
  return { step: clampedStep, at: Math.min(at, lastIndex) }
}

const targetTexts: Record<TemplateTarget, { name: string; savedText: string }> = {
  reflection: { name: 'reflection', savedText: 'Saved as a reflection' },
  moment: { name: 'moment', savedText: 'Saved as a moment' },
  logbook: { name: 'logbook entry', savedText: 'Saved in the logbook' },
}

function RunFinished({ run, isTrial }: { run: TemplateRun; isTrial: boolean }) {
  const { savedText, name } = targetTexts[run.template.target]
  return (
    <Card kind="paper" className="mx-auto flex max-w-[640px] flex-col items-start gap-3" role="status">
      <h2>{isTrial ? 'That’s all' : savedText}</h2>
      <p className="max-w-[48ch] text-muted-foreground">
        {isTrial
          ? `In your own keeper, your answers would now be a ${name}. Here, they weren’t saved.`
          : 'You can edit this entry like any other. It doesn’t depend on the template.'}
      </p>
      <div className="flex flex-wrap gap-2">
        {!isTrial &&
          run.entries.map(({ entity, id }) => (
            <LinkButton
              key={id}
              variant="primary"
              to={getEntryPath({ entity, keeperId: run.keeperId, id })}
              icon={<BookOpen aria-hidden size={15} />}
            >
              Open the {targetTexts[entity].name}
            </LinkButton>
          ))}
        <LinkButton to={isTrial ? '/keeper/engagement-templates' : getTemplatesPath(run.keeperId)}>
          {isTrial ? 'All templates' : 'This keeper’s templates'}
        </LinkButton>
      </div>
    </Card>
  )
}

function RunWaiting({ run, onBack }: { run: TemplateRun; onBack: (() => void) | undefined }) {
  return (
    <Card kind="paper" className="mx-auto flex max-w-[640px] flex-col items-start gap-3">
      <h2>
        <bdi>{run.template.label}</bdi> is waiting
      </h2>
      <p className="max-w-[48ch] text-muted-foreground">
        The next step, {run.steps[run.step]?.title}, opens {run.waitUntil && <Time value={run.waitUntil} />}. Your
        answers are saved, and this page brings you back to them.
      </p>
      <div className="flex flex-wrap gap-2">
        {onBack && <Button onClick={onBack}>Review your answers</Button>}
        <LinkButton to={getTemplatesPath(run.keeperId)}>This keeper’s templates</LinkButton>
      </div>
    </Card>
  )
}
