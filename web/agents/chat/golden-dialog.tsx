import { type FormEvent, useMemo, useState } from 'react'
import { goldenQuestions } from '#contract/agents/golden-questions.ts'
import { ApiError, call } from '#web/api.ts'
import { createClientId } from '#web/offline/create-client-id.ts'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { ReadOnlyWhile } from '#web/ui/read-only-while.tsx'
import { SegmentedControl } from '#web/ui/segmented-control.tsx'
import { showToast } from '#web/ui/show-toast.tsx'
import { TextArea } from '#web/ui/text-area.tsx'
import { createStoredDraft, useDecryptedDrafts } from '../form/stored-draft.ts'
import { type GoldenPair, judgeOptions, toGoldenPair } from '../golden/golden-pair.ts'
import { getReasonText } from '../runs/reason-text.ts'

export interface GoldenDialogProps {
  agentId: string
  question: string
  answer: string
  runId: string | null
  onClose: () => void
}

/** `key`: idempotency key, kept across reloads so that one question is created. */
type GoldenDraft = GoldenPair & { key: string }

/** Drafts of earlier versions have only the two texts. */
const isGoldenDraft = (
  value: unknown,
): value is Pick<GoldenDraft, 'question' | 'expectation'> & Partial<GoldenDraft> => {
  const { question, expectation } = (value ?? {}) as Partial<GoldenDraft>
  return typeof question === 'string' && typeof expectation === 'string'
}

export function GoldenDialog({ agentId, question, answer, runId, onClose }: GoldenDialogProps) {
  useDecryptedDrafts()
  const draft = useMemo(() => createStoredDraft(`golden-${agentId}-${runId}`, isGoldenDraft), [agentId, runId])
  const [goldenDraft, setGoldenDraft] = useState<GoldenDraft>(() => {
    const defaults = { question, expectation: answer, judged_by: 'judged' as const, key: createClientId() }
    return { ...defaults, ...draft.read() }
  })
  const [problem, setProblem] = useState<unknown>()
  const [busy, setBusy] = useState(false)
  const fields = problem instanceof ApiError ? problem.fields : undefined

  function changeDraft(changes: Partial<GoldenPair>) {
    const next = { ...goldenDraft, ...changes, key: createClientId() }
    setGoldenDraft(next)
    draft.write(next)
  }

  async function save(event: FormEvent) {
    event.preventDefault()
    if (busy) return
    setBusy(true)
    setProblem(undefined)
    // Stores the key even without changes, so that a retry after a reload reuses it.
    draft.write(goldenDraft)
    try {
      await call(goldenQuestions.create, {
        params: { agentId },
        body: { ...toGoldenPair(goldenDraft), source_run_id: runId },
        idempotencyKey: goldenDraft.key,
      })
      draft.clear()
      showToast('Golden question added', { dropsRibbon: true })
      onClose()
    } catch (reason) {
      setProblem(reason)
      setBusy(false)
    }
  }

  return (
    <FormDialog
      onClose={onClose}
      onCancel={() => {
        draft.clear()
        onClose()
      }}
      title="Make this a golden answer"
      description="The question is asked again whenever the agent changes, and the new answer is compared with this one."
      form={{ onSubmit: save, noValidate: false, className: 'flex flex-col gap-4' }}
      submitLabel="Add golden question"
      busyLabel="Adding..."
      busy={busy}
      locksWhileBusy
    >
      <ReadOnlyWhile while={busy}>
        <TextArea
          label="Question"
          required
          value={goldenDraft.question}
          error={fields?.question}
          onChange={(event) => changeDraft({ question: event.currentTarget.value })}
        />
        <TextArea
          label="What the answer must say"
          required
          rows={5}
          value={goldenDraft.expectation}
          error={fields?.expectation}
          help={
            goldenDraft.judged_by === 'contains'
              ? 'Every line must appear in the answer; case doesn’t matter. Keep only the words that matter.'
              : 'The agent’s own model decides whether an answer meets this expectation.'
          }
          onChange={(event) => changeDraft({ expectation: event.currentTarget.value })}
        />
        <SegmentedControl
          label="How the answer is checked"
          options={judgeOptions}
          value={goldenDraft.judged_by}
          onValueChange={(judged_by) => changeDraft({ judged_by })}
        />
      </ReadOnlyWhile>
      {problem !== undefined && !fields && (
        <p role="alert" className="text-ui font-medium text-destructive">
          {getReasonText(problem)}
        </p>
      )}
    </FormDialog>
  )
}
