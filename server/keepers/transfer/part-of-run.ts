import { json, type Write } from '#server/db/database.ts'
import type { Services } from '#server/services.ts'
import { sealedStep } from '../templates/find-run.ts'
import { isAboutTheWriting, refuseWhatCannotBecome } from '../templates/make-entry-of-run.ts'
import { type AskedStep, stepsOf } from '../templates/template-steps.ts'
import type { TemplateRow } from '../templates/template-view.ts'
import { visibleTemplates } from '../templates/visible-templates.ts'
import type { ImportPart } from './import-plan.ts'
import { importedId } from './imported-id.ts'

type RunPart = Extract<ImportPart, { kind: 'run' }>

/**
 * An unfinished template, to be gone on with; nothing where the template is not here. Where its last step was closed on
 * answers that are no entry here, that step is open again, which is said.
 */
export async function runWrites(services: Services, part: RunPart, notes: string[]): Promise<Write[]> {
  const { into, position, run } = part
  const template = await visibleTemplates(services, { id: into.owner_id })
    .where('engagement_templates.slug', '=', run.template)
    .where('engagement_templates.kind', '!=', 'page')
    .executeTakeFirst()
  if (!template) return []
  const id = importedId(into.id, 'run', String(position))
  const opened = run.step === sealedStep ? await openedAgain(services, part, { id, template }) : undefined
  if (opened) notes.push(opened.note)
  const insert = services.db
    .insertInto('template_runs')
    .values({
      id,
      keeper_id: into.id,
      owner_id: into.owner_id,
      created_at: Date.parse(run.createdAt),
      updated_at: Date.parse(run.updatedAt),
      deleted_at: null,
      template_id: template.id,
      step: opened?.step ?? run.step,
      answers: json(run.answers),
      entries: json([]),
      wait_until: run.waitUntil === null ? null : Date.parse(run.waitUntil),
      finished_at: null,
    })
    .onConflict((conflict) => conflict.doNothing())
  return [insert]
}

async function openedAgain(
  services: Services,
  { into, run }: RunPart,
  { id, template }: { id: string; template: TemplateRow },
): Promise<{ step: number; note: string } | undefined> {
  const steps: AskedStep[] = (await stepsOf(services, [template])).get(template.id) ?? []
  try {
    const finished = { runId: id, template, steps, answers: run.answers, timezone: 'UTC' }
    await refuseWhatCannotBecome(services, into, finished)
    return undefined
  } catch (error) {
    if (!isAboutTheWriting(error)) throw error
    const note = `${template.label}: its answers became no entry, and its last step is open again with all of them. ${error.message}`
    return { step: Math.max(steps.length - 1, 0), note }
  }
}
