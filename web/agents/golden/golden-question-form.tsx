import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { type GoldenQuestion, goldenQuestions } from '#contract/agents/golden-questions.ts'
import { ApiError, call } from '#web/api.ts'
import { ConflictDialog, getConflict, saveOrResolveAgain } from '#web/offline/conflict-dialog.tsx'
import { createClientId } from '#web/offline/create-client-id.ts'
import { Button } from '#web/ui/button.tsx'
import { onSubmitKey } from '#web/ui/on-send-key.ts'
import { ReadOnlyWhile } from '#web/ui/read-only-while.tsx'
import { SegmentedControl } from '#web/ui/segmented-control.tsx'
import { TextArea } from '#web/ui/text-area.tsx'
import { createStoredDraft, useDecryptedDrafts } from '../form/stored-draft.ts'
import { getReasonText } from '../runs/reason-text.ts'
import {
  type GoldenPair,
  getConflictFields,
  isGoldenPair,
  judgeOptions,
  toChosenPair,
  toGoldenPair,
} from './golden-pair.ts'
import { goldenQuestionsQuery } from './golden-queries.ts'

/** `rev`: base revision for edits. `key`: idempotency key for creates. */
type GoldenQuestionDraft = GoldenPair & { rev?: number | undefined; key?: string }
const blankQuestion: GoldenQuestionDraft = { question: '', expectation: '', judged_by: 'contains' }

interface GoldenQuestionFormProps {
  agentId: string
  saved?: GoldenQuestion
  onClose: () => void
}

export function GoldenQuestionForm({ agentId, saved, onClose }: GoldenQuestionFormProps) {
  useDecryptedDrafts()
  const queryClient = useQueryClient()
  const draft = createStoredDraft(`golden-${agentId}-${saved?.id ?? 'new'}`, isGoldenPair)
  const [pair, setPair] = useState<GoldenQuestionDraft>(() => draft.read() ?? saved ?? blankQuestion)
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<unknown>()
  const [current, setCurrent] = useState<GoldenQuestion>()
  const fields = problem instanceof ApiError ? problem.fields : undefined
  const questionRef = useRef<HTMLTextAreaElement>(null)
  useEffect(() => questionRef.current?.focus(), [])

  function changePair(changes: Partial<GoldenPair>) {
    const next = { ...toGoldenPair({ ...pair, ...changes }), rev: pair.rev, key: createClientId() }
    setPair(next)
    draft.write(next)
  }

  async function save(body: GoldenPair, rev: number | undefined) {
    if (saved) {
      const params = { agentId, questionId: saved.id }
      await call(goldenQuestions.update, { params, body, ifMatch: rev })
    } else await call(goldenQuestions.create, { params: { agentId }, body, idempotencyKey: pair.key })
    draft.clear()
    await queryClient.invalidateQueries({ queryKey: goldenQuestionsQuery(agentId).queryKey })
    onClose()
  }

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (busy) return
    setBusy(true)
    setProblem(undefined)
    try {
      await save(toGoldenPair(pair), pair.rev ?? saved?.rev)
    } catch (reason) {
      const conflict = getConflict<GoldenQuestion>(reason)
      if (conflict) setCurrent(conflict.current)
      else setProblem(reason)
    } finally {
      setBusy(false)
    }
  }

  return (
    <form
      onKeyDown={onSubmitKey}
      onSubmit={submit}
      aria-label={saved ? 'Edit golden question' : 'New golden question'}
      className="flex flex-col gap-3.5 rounded-md border border-border bg-card p-4"
    >
      <ReadOnlyWhile while={busy}>
        <TextArea
          ref={questionRef}
          label="Question"
          required
          rows={2}
          maxLength={4000}
          value={pair.question}
          error={fields?.question}
          onChange={(event) => changePair({ question: event.currentTarget.value })}
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
              ? 'Every line must appear in the answer; case doesn’t matter.'
              : 'The agent’s own model decides whether an answer meets this expectation.'
          }
          onChange={(event) => changePair({ expectation: event.currentTarget.value })}
        />
        <SegmentedControl
          label="How the answer is checked"
          options={judgeOptions}
          value={pair.judged_by}
          onValueChange={(judged_by) => changePair({ judged_by })}
          className="self-start"
        />
      </ReadOnlyWhile>
      {problem !== undefined && !fields && (
        <p role="alert" className="text-ui font-medium text-destructive">
          {getReasonText(problem)}
        </p>
      )}
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
      <ConflictDialog
        open={current !== undefined}
        subject="This golden question"
        fields={current ? getConflictFields(pair, current) : []}
        conflictKey={`golden-question/${saved?.id}`}
        onResolve={(values) =>
          saveOrResolveAgain<GoldenQuestion>(save(toChosenPair(pair, values), current?.rev), setCurrent)
        }
        onOpenChange={(open) => !open && setCurrent(undefined)}
      />
    </form>
  )
}
