import type { Person } from '#server/accounts/person.ts'
import { json } from '#server/db/database.ts'
import type { Services } from '#server/services.ts'
import { publishKeeperChanged } from '../entries/publish-keeper-changed.ts'
import { createRunEntry, isAnswerProblem } from './create-run-entry.ts'
import { type RunWithSteps, requireRunFor, sealedStep } from './find-run.ts'

export async function finishRun(
  services: Services,
  person: Person,
  run: RunWithSteps,
  timezone = 'UTC',
): Promise<RunWithSteps> {
  const { row, template, steps } = run
  if (row.step !== sealedStep || row.finished_at !== null) return run
  const keeper = { id: row.keeper_id, owner_id: row.owner_id }
  const now = services.now().getTime()
  const unfinished = services.db
    .updateTable('template_runs')
    .where('id', '=', row.id)
    .where('finished_at', 'is', null)
    .set({ updated_at: now })
  try {
    const entries = await createRunEntry(services, person, keeper, {
      runId: row.id,
      template,
      steps,
      answers: row.answers,
      timezone,
    })
    await unfinished.set({ entries: json(entries), finished_at: now, wait_until: null }).execute()
  } catch (error) {
    // A file was deleted concurrently: reopen the last step with all answers.
    if (isAnswerProblem(error)) await unfinished.set({ step: steps.length - 1 }).execute()
    throw error
  }
  publishKeeperChanged(services, keeper.owner_id, keeper.id, template.target)
  return requireRunFor(services, person, row.id)
}
