import { isDeepStrictEqual } from 'node:util'
import type * as z from 'zod/mini'
import type { engagementTemplates, TemplateRun } from '#contract/keepers/engagement-templates.ts'
import type { Person } from '#server/accounts/person.ts'
import { json } from '#server/db/database.ts'
import { hourMs } from '#server/hours-and-days.ts'
import { badField, Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { tellKeeperChanged } from '../entries/tell-keeper-changed.ts'
import { checkAnswers } from './check-answers.ts'
import { type FoundRun, requireRunFor, runView, sealedStep } from './find-run.ts'
import { finishRun } from './finish-run.ts'
import { refuseWhatCannotBecome } from './make-entry-of-run.ts'

type Answering = z.output<typeof engagementTemplates.answerStep.body & {}>

const tries = 4

/**
 * Saves the answers of a step; completing the last one creates the entry. Idempotent.
 * @throws Problem 404; 400 per answer; 409 while the next step waits or after the end; `stale`
 */
export async function answerStep(
  services: Services,
  person: Person,
  runId: string,
  given: Answering,
  ifMatch: number | null,
): Promise<TemplateRun> {
  for (let attempt = 1; ; attempt++) {
    const run = await requireRunFor(services, person, runId)
    const { row, steps, next, template } = run
    const at = given.step ?? next
    if (isSaidAlready(run, at, given))
      return runView(services, person, await finishRun(services, person, run, given.timezone))
    if (row.step === sealedStep)
      throw new Problem('conflict', { message: 'This is already finished. Change the entry it became.' })
    // A caller without a step or revision must not answer the next question by accident.
    const overtaken = attempt > 1 && given.done === true && given.step === undefined
    if (overtaken || (ifMatch !== null && ifMatch !== row.rev)) throw await stale(services, person, run, at, given)
    const step = steps[at]
    if (!step || at > next) throw badField('step', 'That step comes later. Answer the next one first.')
    const now = services.now().getTime()
    if (at === next && row.wait_until !== null && row.wait_until > now) throw waits(row.wait_until)
    checkAnswers(step.fields, given.answers, given.done === true)

    const answers = Array.from({ length: Math.max(row.answers.length, at + 1) }, (_, index) =>
      index === at ? given.answers : (row.answers[index] ?? {}),
    )
    const goesOn = given.done === true && at === next
    const ends = goesOn && at === steps.length - 1
    const keeper = { id: row.keeper_id, owner_id: row.owner_id }
    const timezone = given.timezone ?? 'UTC'
    if (ends) await refuseWhatCannotBecome(services, keeper, { runId, template, steps, answers, timezone })
    const { numUpdatedRows } = await services.db
      .updateTable('template_runs')
      .set({
        answers: json(answers),
        step: ends ? sealedStep : goesOn ? at + 1 : next,
        ...(goesOn && { wait_until: !ends && step.waitHours > 0 ? now + step.waitHours * hourMs : null }),
        updated_at: now,
        rev: row.rev + 1,
      })
      .where('id', '=', row.id)
      .where('owner_id', '=', person.id)
      .where('rev', '=', row.rev)
      .where('deleted_at', 'is', null)
      .executeTakeFirst()
    if (numUpdatedRows === 0n) {
      // Lost a race: retry, or report a conflict to a caller with a revision.
      if (attempt < tries) continue
      throw new Problem('conflict')
    }
    if (given.done) tellKeeperChanged(services, keeper.owner_id, keeper.id, 'keeper')
    const after = await requireRunFor(services, person, runId)
    return runView(services, person, await finishRun(services, person, after, timezone))
  }
}

/** A retry of a completed step whose response was lost. */
function isSaidAlready({ row, next }: FoundRun, at: number, given: Answering): boolean {
  const last = row.step === sealedStep ? row.answers.length - 1 : -1
  const asked = given.step ?? (last >= 0 ? last : at)
  return given.done === true && asked < next && isDeepStrictEqual(row.answers[asked], { ...given.answers })
}

async function stale(
  services: Services,
  person: Person,
  run: FoundRun,
  at: number,
  given: Answering,
): Promise<Problem> {
  const current = await runView(services, person, run)
  const answers = current.answers.map((each, index) => (index === at ? given.answers : each))
  return new Problem('stale', { data: { yours: { ...current, answers }, current } })
}

const waits = (until: number) =>
  new Problem('conflict', {
    message: 'This step opens some time after the previous one. Come back then.',
    data: { waitUntil: new Date(until).toISOString() },
  })
