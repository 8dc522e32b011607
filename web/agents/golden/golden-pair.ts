import type { GoldenQuestion } from '#contract/agents/golden-questions.ts'
import type { ConflictField } from '#web/offline/conflict-dialog.tsx'

export type Pair = Pick<GoldenQuestion, 'question' | 'expectation' | 'judged_by'>

export const judges = [
  { value: 'contains', label: 'Contains these lines' },
  { value: 'judged', label: 'Judged by the model' },
] as const

export function isPair(value: unknown): value is Pair {
  const { question, expectation, judged_by } = (value ?? {}) as Partial<Pair>
  return (
    typeof question === 'string' && typeof expectation === 'string' && judges.some((judge) => judge.value === judged_by)
  )
}

export const toPair = ({ question, expectation, judged_by }: Pair): Pair => ({ question, expectation, judged_by })

const getJudgeLabel = ({ judged_by }: Pair) => judges.find(({ value }) => value === judged_by)?.label ?? judged_by

/** Always includes the texts; includes the check only if it differs. */
export function getConflictFields(local: Pair, current: Pair): ConflictField[] {
  const [checked, checkedNow] = [getJudgeLabel(local), getJudgeLabel(current)]
  return [
    { name: 'question', label: 'Question', yours: local.question, current: current.question },
    { name: 'expectation', label: 'What the answer must say', yours: local.expectation, current: current.expectation },
    ...(checked === checkedNow
      ? []
      : [
          {
            name: 'judged_by',
            label: 'How the answer is checked',
            yours: checked,
            current: checkedNow,
            choiceOnly: true,
          },
        ]),
  ]
}

export function toChosenPair(local: Pair, { question, expectation, judged_by }: Record<string, string>): Pair {
  return {
    question: question ?? local.question,
    expectation: expectation ?? local.expectation,
    judged_by: judges.find(({ label }) => label === judged_by)?.value ?? local.judged_by,
  }
}
