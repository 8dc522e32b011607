import { type FormEvent, useMemo, useState } from 'react'
import { goldenQuestions } from '#contract/agents/golden-questions.ts'
import { ApiError, call } from '#web/api.ts'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { SegmentedControl } from '#web/ui/segmented-control.tsx'
import { showToast } from '#web/ui/show-toast.tsx'
import { TextArea } from '#web/ui/text-area.tsx'
import { keptDraft, useUnsealedDrafts } from '../form/kept-draft.ts'
import { judges } from '../golden/golden-pair.ts'
import { reasonText } from '../runs/reason-text.ts'

export interface GoldenDialogProps {
  agentId: string
  question: string
  answer: string
  runId: string | null
  onClose: () => void
}

interface Given {
  question: string
  expectation: string
}

const isGiven = (value: unknown): value is Given => {
  const { question, expectation } = (value ?? {}) as Partial<Given>
  return typeof question === 'string' && typeof expectation === 'string'
}

/** Keeps a question and what its answer must say, to be asked again whenever the agent changes. */
export function GoldenDialog({ agentId, question, answer, runId, onClose }: GoldenDialogProps) {
  useUnsealedDrafts()
  const draft = useMemo(() => keptDraft(`golden-${agentId}-${runId}`, isGiven), [agentId, runId])
  const [given, setGiven] = useState(() => draft.read() ?? { question, expectation: answer })
  const [judgedBy, setJudgedBy] = useState<(typeof judges)[number]['value']>('judged')
  const [problem, setProblem] = useState<unknown>()
  const [busy, setBusy] = useState(false)
  const fields = problem instanceof ApiError ? problem.fields : undefined

  function write(next: Given) {
    setGiven(next)
    draft.write(next)
  }

  async function save(event: FormEvent) {
    event.preventDefault()
    if (busy) return
    setBusy(true)
    setProblem(undefined)
    try {
      await call(goldenQuestions.create, {
        params: { agentId },
        body: { ...given, judged_by: judgedBy, source_run_id: runId },
      })
      draft.clear()
      showToast('Golden question added', { kept: true })
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
      description="The question is asked again whenever the agent changes, and the new answer held against this one."
      form={{ onSubmit: save, noValidate: false, className: 'flex flex-col gap-4' }}
      submitLabel="Add golden question"
      busyLabel="Adding..."
      busy={busy}
      stays
    >
      <TextArea
        label="Question"
        required
        value={given.question}
        error={fields?.question}
        onChange={(event) => write({ ...given, question: event.currentTarget.value })}
      />
      <TextArea
        label="What the answer must say"
        required
        rows={5}
        value={given.expectation}
        error={fields?.expectation}
        help={
          judgedBy === 'contains'
            ? 'Every line must be in the answer; case does not matter. Keep only the words that count.'
            : 'The agent’s own model says whether an answer meets this.'
        }
        onChange={(event) => write({ ...given, expectation: event.currentTarget.value })}
      />
      <SegmentedControl label="How it is checked" options={judges} value={judgedBy} onValueChange={setJudgedBy} />
      {problem !== undefined && !fields && (
        <p role="alert" className="text-ui font-medium text-destructive">
          {reasonText(problem)}
        </p>
      )}
    </FormDialog>
  )
}
