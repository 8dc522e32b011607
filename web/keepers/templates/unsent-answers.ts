import type { TemplateAnswers } from '#contract/keepers/engagement-templates.ts'

interface AnswerVersions {
  /** The current answers by step. */
  answers: readonly TemplateAnswers[]
  /** The answers last known to the server. */
  sent: readonly TemplateAnswers[]
}

const getChangedKeys = (sent: TemplateAnswers = {}, answers: TemplateAnswers = {}): string[] =>
  Object.keys({ ...sent, ...answers }).filter((key) => JSON.stringify(sent[key]) !== JSON.stringify(answers[key]))

export function findUnsentSteps({ answers, sent }: AnswerVersions): number[] {
  return answers.flatMap((stepAnswers, step) => (getChangedKeys(sent[step], stepAnswers).length > 0 ? [step] : []))
}

/** Applies local changes of all steps on top of the server's newer answers. */
export function mergeAnswers(newer: readonly TemplateAnswers[], { answers, sent }: AnswerVersions): TemplateAnswers[] {
  return Array.from({ length: Math.max(newer.length, answers.length) }, (_, step) => {
    const merged = { ...newer[step] }
    for (const key of getChangedKeys(sent[step], answers[step])) {
      const answer = answers[step]?.[key]
      if (answer === undefined) delete merged[key]
      else merged[key] = answer
    }
    return merged
  })
}
