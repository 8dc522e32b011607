import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import {
  type ChangedAnswer,
  type MemoryCheck,
  type MemoryConsentInput,
  memoryChecks,
} from '#contract/keepers/memory-checks.ts'
import { call } from '#web/api/api.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { Dialog } from '#web/ui/overlays/dialog.tsx'
import { Badge } from '#web/ui/panels/badge.tsx'
import { ProgressBar } from '#web/ui/panels/progress-bar.tsx'
import { pluralize } from '#web/ui/text/pluralize.ts'

const pollMs = 500
const listFormat = new Intl.ListFormat('en-US')

interface MemoryCheckDialogProps {
  check: MemoryCheck
  /** `undefined` means that the memory is not approved. */
  onDecide: (goldenCheck: MemoryConsentInput | undefined, unaskedCount?: number) => void
}

/** Shows the progress of the golden questions, then asks again if answers got worse. */
export function MemoryCheckDialog({ check: initialCheck, onDecide }: MemoryCheckDialogProps) {
  const checkId = initialCheck.id ?? ''
  const { data: check = initialCheck, isError } = useQuery({
    queryKey: ['memory-checks', checkId],
    queryFn: ({ signal }) => call(memoryChecks.show, { params: { id: checkId }, signal }),
    initialData: initialCheck,
    refetchInterval: ({ state }) => (state.data?.status === 'running' ? pollMs : false),
  })
  const isDone = check.status === 'done'
  const approveUnchanged = useEffectEvent(() => onDecide({ checkId }, check.unasked))
  const isUnchanged = isDone && check.changed.length === 0
  useEffect(() => {
    if (isUnchanged) approveUnchanged()
  }, [isUnchanged])

  function stop(goldenCheck?: MemoryConsentInput) {
    // Not awaited: the decision doesn't depend on it.
    if (!isDone) call(memoryChecks.stop, { params: { id: checkId } }).catch(() => undefined)
    onDecide(goldenCheck)
  }

  if (!isDone || isUnchanged)
    return (
      <Dialog
        key="asking"
        open
        onOpenChange={(isOpen) => !isOpen && stop()}
        title="Asking golden questions"
        description={`${listFormat.format(check.agentNames)} ${check.agentNames.length === 1 ? 'answers its' : 'answer their'} golden questions with this memory first. Nothing is approved yet.`}
        footer={
          <>
            <Button onClick={() => stop()}>Cancel</Button>
            <Button onClick={() => stop({ skip: true })}>Approve without asking</Button>
          </>
        }
      >
        <p role="status" className="mb-1.5 text-ui tabular-nums">
          {check.answered} of {check.total} answered
        </p>
        <ProgressBar
          label="Golden questions answered"
          value={check.answered}
          max={check.total}
          valueText={`${check.answered} of ${check.total}`}
        />
        {isError && (
          <p role="alert" className="mt-3 text-ui text-destructive">
            The progress isn’t available. Nothing is approved yet.
          </p>
        )}
      </Dialog>
    )
  const changedCount = check.changed.length
  return (
    // A new key remounts the dialog, so that focus doesn't carry over to a different button.
    <Dialog
      key="changed"
      open
      onOpenChange={(isOpen) => !isOpen && stop()}
      size="large"
      title={changedCount === 1 ? 'One answer would change' : `${changedCount} answers would change`}
      description={`With this memory ${changedCount === 1 ? 'a golden question is' : `${changedCount} golden questions are`} no longer answered as expected. Nothing is approved yet.`}
      footer={
        <>
          <Button onClick={() => stop()}>Don’t approve</Button>
          <Button variant="primary" onClick={() => onDecide({ checkId, approveAnyway: true }, check.unasked)}>
            Approve anyway
          </Button>
        </>
      }
    >
      <ol aria-label="Changed answers" className="@container flex flex-col">
        {check.changed.map((answer) => (
          <ChangedAnswerItem key={`${answer.agentId} ${answer.questionId}`} answer={answer} />
        ))}
      </ol>
      {check.unasked > 0 && (
        <p className="mt-3 text-small text-muted-foreground">
          {pluralize(check.unasked, 'golden question')} couldn’t be asked.
        </p>
      )}
    </Dialog>
  )
}

function ChangedAnswerItem({ answer }: { answer: ChangedAnswer }) {
  const { agentName, question, expectation, judgedBy, before, after, reason } = answer
  return (
    <li className="border-b border-hairline py-3.5 first:pt-0 last:border-b-0 last:pb-0">
      <p dir="auto" className="text-ui font-semibold wrap-anywhere whitespace-pre-wrap">
        {question}
      </p>
      <p className="mt-0.5 text-small text-muted-foreground wrap-anywhere whitespace-pre-wrap">
        {agentName}. {judgedBy === 'contains' ? 'Must contain: ' : 'Judged against: '}
        {expectation}
      </p>
      <div className="mt-2 grid grid-cols-1 gap-3 @min-[560px]:grid-cols-2">
        <ComparedAnswer title="Without this memory" text={before} hasPassed />
        <ComparedAnswer title="With this memory" text={after} hasPassed={false} reason={reason} />
      </div>
    </li>
  )
}

interface ComparedAnswerProps {
  title: string
  text: string
  hasPassed: boolean
  reason?: string
}

function ComparedAnswer({ title, text, hasPassed, reason }: ComparedAnswerProps) {
  return (
    <section aria-label={title} className="min-w-0 border-s-2 border-border py-0.5 ps-3">
      <p className="mb-1.5 flex items-center gap-1.5 text-small text-muted-foreground">
        <span dir="auto" className="flex-1 font-label">
          {title}
        </span>
        <Badge tone={hasPassed ? 'success' : 'destructive'}>{hasPassed ? 'pass' : 'fail'}</Badge>
      </p>
      <p
        dir="auto"
        className="max-h-60 overflow-y-auto font-serif text-[0.9375rem] leading-[1.375rem] wrap-anywhere whitespace-pre-wrap"
      >
        {text}
      </p>
      {reason && <p className="mt-1.5 text-small text-destructive wrap-anywhere">{reason}</p>}
    </section>
  )
}
