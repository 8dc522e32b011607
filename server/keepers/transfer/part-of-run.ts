import { json, type Write } from '#server/db/database.ts'
import type { Services } from '#server/services.ts'
import { waitsForEntryMs } from '../media/upload-media.ts'
import { sealedStep } from '../templates/find-run.ts'
import { isAboutTheWriting, refuseWhatDoesNotFit } from '../templates/make-entry-of-run.ts'
import { type AskedStep, stepsOf } from '../templates/template-steps.ts'
import { visibleTemplates } from '../templates/visible-templates.ts'
import { type ImportPart, longestTitle } from './import-plan.ts'
import { importedId } from './imported-id.ts'
import { type Unpacking, unpackMedia } from './media-from-zip.ts'
import { isInZip } from './media-in-zip.ts'

type RunPart = Extract<ImportPart, { kind: 'run' }>
type Answers = RunPart['run']['answers']

/**
 * Imports an unfinished template run with its files. Skips a run whose template is missing, skips files without a
 * question, and reopens the last step when its answers fit no entry. Each of these is noted.
 */
export async function runWrites(
  services: Services,
  unpacking: Unpacking,
  part: RunPart,
  notes: string[],
): Promise<Write[]> {
  const { into, position, run } = part
  const template = await visibleTemplates(services, { id: into.owner_id })
    .where('engagement_templates.slug', '=', run.template)
    .where('engagement_templates.kind', '!=', 'page')
    .executeTakeFirst()
  if (!template) {
    notes.push(
      `${run.name.slice(0, longestTitle)} is unfinished and was left out with its answers, because its template isn't available here. They are still in the file you chose.`,
    )
    return []
  }
  const id = importedId(into.id, 'run', String(position))
  const steps = (await stepsOf(services, [template])).get(template.id) ?? []
  const { answers, files, unasked } = await withFiles(services, unpacking, part, steps)
  if (unasked > 0)
    notes.push(
      `${template.label}, still unfinished, was imported without ${unasked === 1 ? '1 file' : `${unasked} files`} of its answers: no question asks for ${unasked === 1 ? 'it' : 'them'} any longer.`,
    )
  const sealed = { runId: id, template, steps, answers }
  const opened = run.step === sealedStep ? openedAgain(services, sealed) : undefined
  if (opened) notes.push(opened.note)
  return [
    ...files,
    services.db
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
        answers: json(answers),
        entries: json([]),
        wait_until: run.waitUntil === null ? null : Date.parse(run.waitUntil),
        finished_at: null,
      })
      .onConflict((conflict) => conflict.doNothing()),
  ]
}

async function withFiles(
  services: Services,
  unpacking: Unpacking,
  { into, position, run }: RunPart,
  steps: readonly AskedStep[],
): Promise<{ answers: Answers; files: Write[]; unasked: number }> {
  const answers = run.answers.map((answer) => ({ ...answer }))
  const files: Write[] = []
  let unasked = 0
  for (const [at, file] of (run.files ?? []).entries()) {
    const answer = answers[file.step]
    // In another field a file id would become visible text.
    const isAsked = steps[file.step]?.fields.some(({ key, type }) => key === file.key && type === 'media')
    if (!answer || !isAsked) {
      unasked += 1
      continue
    }
    if (!isInZip(unpacking.zip, file)) continue
    const id = importedId(into.id, 'media', `run ${position} ${at}`)
    const writes = await unpackMedia(services, unpacking, file, {
      ...{ id, keeperId: into.id, ownerId: into.owner_id, createdAt: Date.parse(run.createdAt) },
      ...{ entity: null, entityId: null, position: null },
      goneAt: services.now().getTime() + waitsForEntryMs,
    })
    if (writes.length === 0) continue
    const before = answer[file.key]
    answer[file.key] = [...(Array.isArray(before) ? before : []), id]
    files.push(...writes)
  }
  return { answers, files, unasked }
}

function openedAgain(
  services: Services,
  finished: Omit<Parameters<typeof refuseWhatDoesNotFit>[1], 'timezone'>,
): { step: number; note: string } | undefined {
  try {
    refuseWhatDoesNotFit(services, { ...finished, timezone: 'UTC' })
    return undefined
  } catch (error) {
    if (!isAboutTheWriting(error)) throw error
    const note = `${finished.template.label}: its answers couldn't become an entry, so its last step is open again with all of them. ${error.message}`
    return { step: Math.max(finished.steps.length - 1, 0), note }
  }
}
