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
    typeof question === 'string' && typeof expectation === 'string' && judges.some((each) => each.value === judged_by)
  )
}

export const pairOf = ({ question, expectation, judged_by }: Pair): Pair => ({ question, expectation, judged_by })

const labelOf = ({ judged_by }: Pair) => judges.find(({ value }) => value === judged_by)?.label ?? judged_by

/** Always includes the texts; includes the check only if it differs. */
export function differing(yours: Pair, current: Pair): ConflictField[] {
  const [checked, checkedNow] = [labelOf(yours), labelOf(current)]
  return [
    { name: 'question', label: 'Question', yours: yours.question, current: current.question },
    { name: 'expectation', label: 'What the answer must say', yours: yours.expectation, current: current.expectation },
    ...(checked === checkedNow
      ? []
      : [{ name: 'judged_by', label: 'How it is checked', yours: checked, current: checkedNow, choiceOnly: true }]),
  ]
}

/** Applies the chosen values over the local ones. */
export function chosenOf(yours: Pair, { question, expectation, judged_by }: Record<string, string>): Pair {
  return {
    question: question ?? yours.question,
    expectation: expectation ?? yours.expectation,
    judged_by: judges.find(({ label }) => label === judged_by)?.value ?? yours.judged_by,
  }
}
