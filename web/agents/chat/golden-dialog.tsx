import { type GoldenQuestion, goldenQuestions } from '#contract/agents/golden-questions.ts'
import { EntityFormDialog } from '#web/offline/entity-form.tsx'
import { sendNow, useEntityForm } from '#web/offline/use-entity-form.tsx'
import { showToast } from '#web/ui/overlays/show-toast.tsx'
import { GoldenFields, type GoldenPair, toGoldenPair } from '../golden/golden-question-form.tsx'

export interface GoldenDialogProps {
  agentId: string
  question: string
  answer: string
  runId: string | null
  onClose: () => void
}

export function GoldenDialog({ agentId, question, answer, runId, onClose }: GoldenDialogProps) {
  const form = useEntityForm<GoldenQuestion, GoldenPair>({
    draftKey: `kept/golden-${agentId}-${runId}`,
    subject: 'This golden question',
    entity: null,
    toValues: toGoldenPair,
    blank: { question, expectation: answer, judged_by: 'judged' },
    send: (_, { key: idempotencyKey, values }) =>
      sendNow(goldenQuestions.create, {
        params: { agentId },
        body: { ...values, source_run_id: runId },
        idempotencyKey,
      }),
    onSaved() {
      showToast('Golden question added', { dropsRibbon: true })
      onClose()
    },
  })
  return (
    <EntityFormDialog
      form={form}
      onClose={onClose}
      discardsOnCancel
      title="Make this a golden answer"
      description="The question is asked again whenever the agent changes, and the new answer is compared with this one."
      saveLabel="Add golden question"
      busyLabel="Adding..."
      failureTitle="The golden question couldn’t be saved."
    >
      <GoldenFields form={form} rows={5} containsHelp=" Keep only the words that matter." />
    </EntityFormDialog>
  )
}
