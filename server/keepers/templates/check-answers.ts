import { isAnswered, type TemplateAnswers, type TemplateField } from '#contract/keepers/engagement-templates.ts'
import { Problem } from '#server/http/problem.ts'

type Value = TemplateAnswers[string]

const maxTags = 30
const maxFiles = 50
const dayPattern = /^\d{4}-\d{2}-\d{2}$/

/** Until the step is done, only unknown keys are rejected. @throws Problem 400 per field, as `answers.went_well` */
export function checkAnswers(fields: readonly TemplateField[], answers: TemplateAnswers, isStepDone: boolean): void {
  const errors: Record<string, string> = {}
  for (const key of Object.keys(answers)) {
    if (!fields.some((field) => field.key === key)) errors[`answers.${key}`] = 'This step doesn’t have that question.'
  }
  if (isStepDone) {
    for (const field of fields) {
      const answer = Object.hasOwn(answers, field.key) ? answers[field.key] : undefined
      const problem = isAnswered(answer)
        ? validateAnswer(field, answer)
        : field.required
          ? 'Answer this question.'
          : undefined
      if (problem) errors[`answers.${field.key}`] = problem
    }
  }
  const [firstError] = Object.values(errors)
  if (firstError !== undefined) throw new Problem('bad-input', { message: firstError, fields: errors })
}

function validateAnswer(field: TemplateField, value: Value): string | undefined {
  switch (field.type) {
    case 'date':
      return typeof value === 'string' && isValidDay(value) ? undefined : 'Enter a date like 2026-11-20.'
    case 'number':
      return typeof value === 'number' ? undefined : 'Enter a number.'
    case 'scale': {
      const max = getScaleMax(field)
      const isInRange = typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= max
      return isInRange ? undefined : `Choose a whole number from 1 to ${max}.`
    }
    case 'choice':
      return typeof value === 'string' && field.options?.includes(value) ? undefined : 'Choose one of the options.'
    case 'tags':
      if (!Array.isArray(value) || value.some((tag) => tag.trim() === ''))
        return 'Enter at least one tag, and leave none blank.'
      if (value.some((tag) => tag.trim().length > 80)) return 'Use at most 80 characters for each tag.'
      return value.length <= maxTags ? undefined : `Use at most ${maxTags} tags.`
    case 'media':
      if (!Array.isArray(value)) return 'Add pictures or sound.'
      return value.length <= maxFiles ? undefined : `Add at most ${maxFiles} files.`
    case 'text':
    case 'person':
    case 'place':
      if (typeof value !== 'string') return 'Enter some text.'
      return value.trim().length <= 500 ? undefined : 'Use at most 500 characters.'
    case 'longtext':
      return typeof value === 'string' ? undefined : 'Enter some text.'
  }
}

export const getScaleMax = (field: Pick<TemplateField, 'most'>) => field.most ?? 5

function isValidDay(value: string): boolean {
  const timestamp = Date.parse(`${value}T00:00:00Z`)
  return dayPattern.test(value) && !Number.isNaN(timestamp) && new Date(timestamp).toISOString().startsWith(value)
}
