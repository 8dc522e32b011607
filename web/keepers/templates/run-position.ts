import {
  type EngagementTemplate,
  isAnswered,
  singleAnswerKey,
  type TemplateAnswers,
  type TemplateField,
  type TemplateRun,
} from '#contract/keepers/engagement-templates.ts'

type Steps = readonly Pick<TemplateRun['steps'][number], 'fields'>[]

export interface QuestionPosition {
  step: number
  /** Index of the field in its step; drafts are stored with this name. */
  at: number
}

/** The first unanswered question of the current step, or its last question. */
export function getStartPosition(run: Pick<TemplateRun, 'step' | 'steps' | 'answers'>): QuestionPosition {
  const step = Math.min(run.step, run.steps.length - 1)
  const fields = run.steps[step]?.fields ?? []
  const firstOpenIndex = fields.findIndex(({ key }) => !isAnswered(run.answers[step]?.[key]))
  return { step, at: firstOpenIndex === -1 ? Math.max(fields.length - 1, 0) : firstOpenIndex }
}

/** `undefined` at the first question. Skips steps whose form no longer has questions. */
export function getPreviousPosition(steps: Steps, { step, at }: QuestionPosition): QuestionPosition | undefined {
  if (at > 0) return { step, at: at - 1 }
  for (let earlierStep = step - 1; earlierStep >= 0; earlierStep--) {
    const count = steps[earlierStep]?.fields.length ?? 0
    if (count > 0) return { step: earlierStep, at: count - 1 }
  }
  return undefined
}

/** The 1-based number of the question, and the total. */
export function getProgress(steps: Steps, { step, at }: QuestionPosition): { number: number; total: number } {
  const counts = steps.map(({ fields }) => Math.max(fields.length, 1))
  const sumCounts = (stepCounts: number[]) => stepCounts.reduce((total, count) => total + count, 0)
  return { number: sumCounts(counts.slice(0, step)) + at + 1, total: sumCounts(counts) }
}

export function createTrialRun(template: EngagementTemplate, forms: readonly EngagementTemplate[]): TemplateRun {
  const createSingleField = (title: string): TemplateField => ({
    key: singleAnswerKey,
    label: title,
    type: 'longtext',
    required: true,
  })
  const steps =
    template.kind === 'process'
      ? template.steps.map(({ title, prompt, agentSlug, contentTypeId }) => ({
          title,
          prompt,
          agentSlug,
          fields: forms.find(({ id }) => id === contentTypeId)?.fields ?? [createSingleField(title)],
        }))
      : [{ title: template.label, prompt: template.description, agentSlug: null, fields: template.fields }]
  return {
    id: 'demo',
    keeperId: 'demo',
    template,
    step: 0,
    answers: [],
    fields: steps[0]?.fields ?? [],
    steps,
    waitUntil: null,
    finishedAt: null,
    entries: [],
    rev: 1,
  }
}

/** Applies answers to a trial run; a trial never waits between steps. */
export function answerTrialRun(
  run: TemplateRun,
  submission: { step: number; answers: TemplateAnswers; done: boolean },
): TemplateRun {
  const answers = run.steps.map((_, index) =>
    index === submission.step ? submission.answers : (run.answers[index] ?? {}),
  )
  const step = submission.done && submission.step === run.step ? run.step + 1 : run.step
  const finishedAt = step === run.steps.length ? new Date().toISOString() : null
  return { ...run, answers, step, fields: run.steps[step]?.fields ?? [], finishedAt, rev: run.rev + 1 }
}

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
export function mergeAnswers(
  remoteAnswers: readonly TemplateAnswers[],
  { answers, sent }: AnswerVersions,
): TemplateAnswers[] {
  return Array.from({ length: Math.max(remoteAnswers.length, answers.length) }, (_, step) => {
    const mergedAnswers = { ...remoteAnswers[step] }
    for (const key of getChangedKeys(sent[step], answers[step])) {
      const answer = answers[step]?.[key]
      if (answer === undefined) delete mergedAnswers[key]
      else mergedAnswers[key] = answer
    }
    return mergedAnswers
  })
}
