import type { TemplateAnswers } from '#contract/keepers/engagement-templates.ts'

interface Answered {
  /** Of each step, as they stand in the page. */
  answers: readonly TemplateAnswers[]
  /** As the server last had them. */
  sent: readonly TemplateAnswers[]
}

const keysChanged = (sent: TemplateAnswers = {}, answers: TemplateAnswers = {}): string[] =>
  Object.keys({ ...sent, ...answers }).filter((key) => JSON.stringify(sent[key]) !== JSON.stringify(answers[key]))

/** The steps with an answer that the server has otherwise. */
export function unsentSteps({ answers, sent }: Answered): number[] {
  return answers.flatMap((said, step) => (keysChanged(sent[step], said).length > 0 ? [step] : []))
}

/** Every answer that was given or taken back here, in whichever step, on top of newer ones of the server. */
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
