import type { GoldenQuestion } from '#contract/agents/golden-questions.ts'
import type { ConflictField } from '#web/offline/conflict-dialog.tsx'

export type GoldenPair = Pick<GoldenQuestion, 'question' | 'expectation' | 'judged_by'>

export const judgeOptions = [
  { value: 'contains', label: 'Contains these lines' },
  { value: 'judged', label: 'Judged by the model' },
] as const

export function isGoldenPair(value: unknown): value is GoldenPair {
  const { question, expectation, judged_by } = (value ?? {}) as Partial<GoldenPair>
  return (
    typeof question === 'string' &&
    typeof expectation === 'string' &&
    judgeOptions.some((judge) => judge.value === judged_by)
  )
}

export const toGoldenPair = ({ question, expectation, judged_by }: GoldenPair): GoldenPair => ({
  question,
  expectation,
  judged_by,
})

const getJudgeLabel = ({ judged_by }: GoldenPair) =>
  judgeOptions.find(({ value }) => value === judged_by)?.label ?? judged_by

/** Always includes the texts; includes the check only if it differs. */
export function getConflictFields(local: GoldenPair, current: GoldenPair): ConflictField[] {
  const [localJudge, currentJudge] = [getJudgeLabel(local), getJudgeLabel(current)]
  return [
    { name: 'question', label: 'Question', yours: local.question, current: current.question },
    { name: 'expectation', label: 'What the answer must say', yours: local.expectation, current: current.expectation },
    ...(localJudge === currentJudge
      ? []
      : [
          {
            name: 'judged_by',
            label: 'How the answer is checked',
            yours: localJudge,
            current: currentJudge,
            choiceOnly: true,
          },
        ]),
  ]
}

export function toChosenPair(
  local: GoldenPair,
  { question, expectation, judged_by }: Record<string, string>,
): GoldenPair {
  return {
    question: question ?? local.question,
    expectation: expectation ?? local.expectation,
    judged_by: judgeOptions.find(({ label }) => label === judged_by)?.value ?? local.judged_by,
  }
}
