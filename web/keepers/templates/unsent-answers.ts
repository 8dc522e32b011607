import type { TemplateAnswers } from '#contract/keepers/engagement-templates.ts'

interface Answered {
  /** The current answers by step. */
  answers: readonly TemplateAnswers[]
  /** The answers last known to the server. */
  sent: readonly TemplateAnswers[]
}

const keysChanged = (sent: TemplateAnswers = {}, answers: TemplateAnswers = {}): string[] =>
  Object.keys({ ...sent, ...answers }).filter((key) => JSON.stringify(sent[key]) !== JSON.stringify(answers[key]))

/** Steps whose answers differ from the server's. */
export function unsentSteps({ answers, sent }: Answered): number[] {
  return answers.flatMap((said, step) => (keysChanged(sent[step], said).length > 0 ? [step] : []))
}

/** Applies local changes of all steps on top of the server's newer answers. */
export function answersOnto(newer: readonly TemplateAnswers[], { answers, sent }: Answered): TemplateAnswers[] {
  return Array.from({ length: Math.max(newer.length, answers.length) }, (_, step) => {
    const together = { ...newer[step] }
    for (const key of keysChanged(sent[step], answers[step])) {
      const said = answers[step]?.[key]
      if (said === undefined) delete together[key]
      else together[key] = said
    }
    return together
  })
}
