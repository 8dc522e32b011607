import type {
  EngagementTemplate,
  TemplateAnswers,
  TemplateField,
  TemplateRun,
} from '#contract/keepers/engagement-templates.ts'
import { isAnswered, soleAnswerKey } from '#contract/keepers/engagement-templates.ts'

type Steps = readonly Pick<TemplateRun['steps'][number], 'fields'>[]

export interface Position {
  step: number
  at: number
}

/** The first unanswered question of the current step, or its last question. */
export function getStartPosition(run: Pick<TemplateRun, 'step' | 'steps' | 'answers'>): Position {
  const step = Math.min(run.step, run.steps.length - 1)
  const fields = run.steps[step]?.fields ?? []
  const open = fields.findIndex(({ key }) => !isAnswered(run.answers[step]?.[key]))
  return { step, at: open === -1 ? Math.max(fields.length - 1, 0) : open }
}

/** `undefined` at the first question. Skips steps whose form no longer has questions. */
export function getPreviousPosition(steps: Steps, { step, at }: Position): Position | undefined {
  if (at > 0) return { step, at: at - 1 }
  for (let earlier = step - 1; earlier >= 0; earlier--) {
    const count = steps[earlier]?.fields.length ?? 0
    if (count > 0) return { step: earlier, at: count - 1 }
  }
  return undefined
}

/** The 1-based number of the question, and the total. */
export function getProgress(steps: Steps, { step, at }: Position): { number: number; all: number } {
  const counts = steps.map(({ fields }) => Math.max(fields.length, 1))
  const sumCounts = (some: number[]) => some.reduce((total, count) => total + count, 0)
  return { number: sumCounts(counts.slice(0, step)) + at + 1, all: sumCounts(counts) }
}

export function createTrialRun(template: EngagementTemplate, forms: readonly EngagementTemplate[]): TemplateRun {
  const single = (title: string): TemplateField => ({
    key: soleAnswerKey,
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
          fields: forms.find(({ id }) => id === contentTypeId)?.fields ?? [single(title)],
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
  answered: { step: number; answers: TemplateAnswers; done: boolean },
): TemplateRun {
  const answers = run.steps.map((_, at) => (at === answered.step ? answered.answers : (run.answers[at] ?? {})))
  const step = answered.done && answered.step === run.step ? run.step + 1 : run.step
  const finishedAt = step === run.steps.length ? new Date().toISOString() : null
  return { ...run, answers, step, fields: run.steps[step]?.fields ?? [], finishedAt, rev: run.rev + 1 }
}
