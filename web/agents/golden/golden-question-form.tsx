import { useQueryClient } from '@tanstack/react-query'
import { type GoldenQuestion, goldenQuestions } from '#contract/agents/golden-questions.ts'
import { EntityForm } from '#web/offline/entity-form.tsx'
import { type EntityForm as Form, sendNow, useEntityForm } from '#web/offline/use-entity-form.tsx'
import { SegmentedControl } from '#web/ui/controls/segmented-control.tsx'
import { TextArea } from '#web/ui/fields/text-area.tsx'
import { goldenQuestionsQuery } from './golden-queries.ts'

export type GoldenPair = Pick<GoldenQuestion, 'question' | 'expectation' | 'judged_by'>
export const toGoldenPair = ({ question, expectation, judged_by }: GoldenPair): GoldenPair => ({
  question,
  expectation,
  judged_by,
})
const blankPair: GoldenPair = { question: '', expectation: '', judged_by: 'contains' }
const judgeOptions = [
  { value: 'contains', label: 'Contains these lines' },
  { value: 'judged', label: 'Judged by the model' },
] as const

interface GoldenQuestionFormProps {
  agentId: string
  saved?: GoldenQuestion
  onClose: () => void
}

export function GoldenQuestionForm({ agentId, saved, onClose }: GoldenQuestionFormProps) {
  const queryClient = useQueryClient()
  const form = useEntityForm({
    draftKey: `kept/golden-${agentId}-${saved?.id ?? 'new'}`,
    subject: 'This golden question',
    entity: saved ?? null,
    toValues: toGoldenPair,
    blank: blankPair,
    send: (_, { rev, key: idempotencyKey, values: body }) =>
      saved
        ? sendNow(goldenQuestions.update, {
            params: { agentId, questionId: saved.id },
            body,
            ifMatch: rev ?? saved.rev,
          })
        : sendNow(goldenQuestions.create, { params: { agentId }, body, idempotencyKey }),
    async onSaved() {
      await queryClient.invalidateQueries({ queryKey: goldenQuestionsQuery(agentId).queryKey })
      onClose()
    },
  })
  return (
    <EntityForm
      form={form}
      aria-label={saved ? 'Edit golden question' : 'New golden question'}
      className="flex flex-col gap-3.5 rounded-md border border-border bg-card p-4"
      saveLabel={saved ? 'Save' : 'Add golden question'}
      failureTitle="The golden question couldn’t be saved."
      onCancel={onClose}
    >
      <GoldenFields form={form} rows={2} />
    </EntityForm>
  )
}

interface GoldenFieldsProps {
  form: Pick<Form<GoldenPair>, 'values' | 'set' | 'field'>
  rows: number
  /** Shown when the answer must contain the text. */
  containsHelp?: string
}

export function GoldenFields({ form: { values, set, field }, rows, containsHelp = '' }: GoldenFieldsProps) {
  return (
    <>
      <TextArea label="Question" autoFocus required rows={2} maxLength={4000} {...field('question')} />
      <TextArea
        label="What the answer must say"
        required
        rows={rows}
        maxLength={4000}
        help={
          values.judged_by === 'contains'
            ? `Every line must appear in the answer; case doesn’t matter.${containsHelp}`
            : 'The agent’s own model decides whether an answer meets this expectation.'
        }
        {...field('expectation')}
      />
      <SegmentedControl
        label="How the answer is checked"
        options={judgeOptions}
        value={values.judged_by}
        onValueChange={(judged_by) => set({ judged_by })}
        className="self-start"
      />
    </>
  )
}
