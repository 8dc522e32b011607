import { isDeepStrictEqual } from 'node:util'
import type * as z from 'zod/mini'
import {
  type engagementTemplates,
  getScaleMax,
  isAnswered,
  type TemplateAnswers,
  type TemplateField,
  type TemplateRun,
} from '#contract/keepers/engagement-templates.ts'
import type { Person } from '#server/accounts/person.ts'
import { json } from '#server/db/database.ts'
import { badField, Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { hourMs } from '#server/values/time-units.ts'
import { publishKeeperChanged } from '../entries/publish-keeper-changed.ts'
import { toKeeperRef } from '../keeper-access.ts'
import { validateRunEntry } from './create-run-entry.ts'
import { finishRun, type RunWithSteps, requireRunFor, sealedStep, toRunView } from './template-runs.ts'

type StepAnswerInput = z.output<typeof engagementTemplates.answerStep.body & {}>

const maxSaveAttempts = 4

/** Idempotent. @throws Problem 404; 400 per answer; 409 while the next step waits or after the end; `stale` */
export async function answerStep(
  services: Services,
  person: Person,
  runId: string,
  input: StepAnswerInput,
  ifMatch: number | null,
): Promise<TemplateRun> {
  for (let attempt = 1; ; attempt++) {
    const run = await requireRunFor(services, person, runId)
    const { row, steps, nextIndex, template } = run
    const stepIndex = input.step ?? nextIndex
    if (isRepeatedAnswer(run, stepIndex, input))
      return toRunView(services, person, await finishRun(services, person, run, input.timezone))
    if (row.step === sealedStep)
      throw new Problem('conflict', {
        message: 'This template is already finished. Edit the entry it created instead.',
      })
    // A caller without a step or revision must not answer the next question by accident.
    const isOvertaken = attempt > 1 && input.done === true && input.step === undefined
    if (isOvertaken || (ifMatch !== null && ifMatch !== row.rev))
      throw await createStaleProblem(services, person, run, stepIndex, input)
    const step = steps[stepIndex]
    if (!step || stepIndex > nextIndex) throw badField('step', 'That step comes later. Answer the next one first.')
    const now = services.now().getTime()
    if (stepIndex === nextIndex && row.wait_until !== null && row.wait_until > now)
      throw createWaitingProblem(row.wait_until)
    checkAnswers(step.fields, input.answers, input.done === true)

    const answers = Array.from({ length: Math.max(row.answers.length, stepIndex + 1) }, (_, index) =>
      index === stepIndex ? input.answers : (row.answers[index] ?? {}),
    )
    const isAdvancing = input.done === true && stepIndex === nextIndex
    const isLastStep = isAdvancing && stepIndex === steps.length - 1
    let nextStep = nextIndex
    if (isAdvancing) nextStep = isLastStep ? sealedStep : stepIndex + 1
    const keeper = toKeeperRef(row)
    const timezone = input.timezone ?? 'UTC'
    if (isLastStep) await validateRunEntry(services, keeper, { runId, template, steps, answers, timezone })
    const { numUpdatedRows } = await services.db
      .updateTable('template_runs')
      .set({
        answers: json(answers),
        step: nextStep,
        ...(isAdvancing && { wait_until: !isLastStep && step.waitHours > 0 ? now + step.waitHours * hourMs : null }),
        updated_at: now,
        rev: row.rev + 1,
      })
      .where('id', '=', row.id)
      .where('owner_id', '=', person.id)
      .where('rev', '=', row.rev)
      .where('deleted_at', 'is', null)
      .executeTakeFirst()
    if (numUpdatedRows === 0n) {
      if (attempt < maxSaveAttempts) continue
      throw new Problem('conflict')
    }
    if (input.done) publishKeeperChanged(services, keeper.owner_id, keeper.id, 'keeper')
    const updatedRun = await requireRunFor(services, person, runId)
    return toRunView(services, person, await finishRun(services, person, updatedRun, timezone))
  }
}

/** A retry of a completed step whose response was lost. */
function isRepeatedAnswer({ row, nextIndex }: RunWithSteps, fallbackIndex: number, input: StepAnswerInput): boolean {
  const lastStep = row.step === sealedStep ? row.answers.length - 1 : -1
  const stepIndex = input.step ?? (lastStep >= 0 ? lastStep : fallbackIndex)
  return input.done === true && stepIndex < nextIndex && isDeepStrictEqual(row.answers[stepIndex], { ...input.answers })
}

async function createStaleProblem(
  services: Services,
  person: Person,
  run: RunWithSteps,
  stepIndex: number,
  input: StepAnswerInput,
): Promise<Problem> {
  const current = await toRunView(services, person, run)
  const answers = current.answers.map((stepAnswers, index) => (index === stepIndex ? input.answers : stepAnswers))
  return new Problem('stale', { data: { yours: { ...current, answers }, current } })
}

const createWaitingProblem = (until: number) =>
  new Problem('conflict', {
    message: 'This step isn’t open yet. It opens some time after the previous one.',
    data: { waitUntil: new Date(until).toISOString() },
  })

const maxTags = 30
const maxTagLength = 80
const maxTextLength = 500
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
      const problem = validateAnswer(field, answer)
      if (problem) errors[`answers.${field.key}`] = problem
    }
  }
  const [firstError] = Object.values(errors)
  if (firstError !== undefined) throw new Problem('bad-input', { message: firstError, fields: errors })
}

/** Returns the problem of an answer, if there is one. */
function validateAnswer(field: TemplateField, value: TemplateAnswers[string] | undefined): string | undefined {
  if (!isAnswered(value)) return field.required ? 'Answer this question.' : undefined
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
      if (value.some((tag) => tag.trim().length > maxTagLength))
        return `Use at most ${maxTagLength} characters for each tag.`
      return value.length <= maxTags ? undefined : `Use at most ${maxTags} tags.`
    case 'media':
      if (!Array.isArray(value)) return 'Add pictures or sound.'
      return value.length <= maxFiles ? undefined : `Add at most ${maxFiles} files.`
    case 'text':
    case 'person':
    case 'place':
      if (typeof value !== 'string') return 'Enter some text.'
      return value.trim().length <= maxTextLength ? undefined : `Use at most ${maxTextLength} characters.`
    case 'longtext':
      return typeof value === 'string' ? undefined : 'Enter some text.'
  }
}

function isValidDay(value: string): boolean {
  const timestamp = Date.parse(`${value}T00:00:00Z`)
  return dayPattern.test(value) && !Number.isNaN(timestamp) && new Date(timestamp).toISOString().startsWith(value)
}
