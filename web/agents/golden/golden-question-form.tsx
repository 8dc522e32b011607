import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { type GoldenQuestion, goldenQuestions } from '#contract/agents/golden-questions.ts'
import { ApiError, call } from '#web/api.ts'
import { Button } from '#web/ui/button.tsx'
import { SegmentedControl } from '#web/ui/segmented-control.tsx'
import { TextArea } from '#web/ui/text-area.tsx'
import { keptDraft, useUnsealedDrafts } from '../form/kept-draft.ts'
import { reasonText } from '../runs/reason-text.ts'
import { goldenQuestionsQuery } from './golden-queries.ts'

type Pair = Pick<GoldenQuestion, 'question' | 'expectation' | 'judged_by'>
const nothing: Pair = { question: '', expectation: '', judged_by: 'contains' }

const judges = [
  { value: 'contains', label: 'Contains these lines' },
  { value: 'judged', label: 'Judged by the model' },
] as const

function isPair(value: unknown): value is Pair {
  const { question, expectation, judged_by } = (value ?? {}) as Partial<Pair>
  return (
    typeof question === 'string' && typeof expectation === 'string' && judges.some((each) => each.value === judged_by)
  )
}

interface GoldenQuestionFormProps {
  agentId: string
  /** The one that is changed; without it a new one is added. */
  saved?: GoldenQuestion
  onClose: () => void
}

export function GoldenQuestionForm({ agentId, saved, onClose }: GoldenQuestionFormProps) {
  useUnsealedDrafts()
  const queries = useQueryClient()
  const draft = keptDraft(`golden-${agentId}-${saved?.id ?? 'new'}`, isPair)
  const [pair, setPair] = useState<Pair>(() => draft.read() ?? saved ?? nothing)
  const [rev, setRev] = useState(saved?.rev)
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<unknown>()
  const fields = problem instanceof ApiError ? problem.fields : undefined
  const first = useRef<HTMLTextAreaElement>(null)
  useEffect(() => first.current?.focus(), [])

  function change(changes: Partial<Pair>) {
    const { question, expectation, judged_by } = { ...pair, ...changes }
    setPair({ question, expectation, judged_by })
    draft.write({ question, expectation, judged_by })
  }

  async function save(event: FormEvent) {
    event.preventDefault()
    if (busy) return
    setBusy(true)
    setProblem(undefined)
    const { question, expectation, judged_by } = pair
    const body = { question, expectation, judged_by }
    try {
      if (saved) {
        const params = { agentId, questionId: saved.id }
        await call(goldenQuestions.update, { params, body, ifMatch: rev })
      } else await call(goldenQuestions.create, { params: { agentId }, body })
      draft.clear()
      await queries.invalidateQueries({ queryKey: goldenQuestionsQuery(agentId).queryKey })
      onClose()
    } catch (reason) {
      if (reason instanceof ApiError && reason.code === 'stale')
        setRev((reason.data as { current: GoldenQuestion }).current.rev)
      setProblem(reason)
      setBusy(false)
    }
  }

  return (
    <form
      onSubmit={save}
      aria-label={saved ? 'Change the golden question' : 'New golden question'}
      className="flex flex-col gap-3.5 rounded-md border border-border bg-card p-4"
    >
      <TextArea
        ref={first}
        label="Question"
        required
        rows={2}
        maxLength={4000}
        value={pair.question}
        error={fields?.question}
        onChange={(event) => change({ question: event.currentTarget.value })}
      />
      <TextArea
        label="What the answer must say"
        required
        rows={2}
        maxLength={4000}
        value={pair.expectation}
        error={fields?.expectation}
        help={
          pair.judged_by === 'contains'
            ? 'Every line must be in the answer; case does not matter.'
            : 'The agent’s own model says whether an answer meets this.'
        }
        onChange={(event) => change({ expectation: event.currentTarget.value })}
      />
      <SegmentedControl
        label="How it is checked"
        options={judges}
        value={pair.judged_by}
        onValueChange={(judged_by) => change({ judged_by })}
        className="self-start"
      />
      {problem !== undefined && !fields && <Trouble problem={problem} />}
      <div className="flex flex-wrap gap-2">
        <Button type="submit" variant="primary" busy={busy} busyLabel="Saving...">
          {saved ? 'Save' : 'Add golden question'}
        </Button>
        <Button
          disabled={busy}
          onClick={() => {
            draft.clear()
            onClose()
          }}
        >
          Cancel
        </Button>
      </div>
    </form>
  )
}

function Trouble({ problem }: { problem: unknown }) {
  const stale = problem instanceof ApiError && problem.code === 'stale'
  const theirs = stale ? (problem.data as { current: GoldenQuestion }).current : undefined
  return (
    <div role="alert" className="text-ui text-destructive">
      <p className="font-medium">
        {theirs ? 'Somebody changed it meanwhile. Save again to put yours in its place.' : reasonText(problem)}
      </p>
      {theirs && (
        <p className="mt-1 text-small text-foreground whitespace-pre-wrap wrap-anywhere">
          Theirs: {theirs.question} / {theirs.expectation}
        </p>
      )}
    </div>
  )
}
