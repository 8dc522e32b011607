import { isAnswered } from '#contract/keepers/engagement-templates.ts'
import { json, type Write } from '#server/db/database.ts'
import type { Services } from '#server/services.ts'
import { toIsoTime, toIsoTimeOrNull } from '#server/values/iso-time.ts'
import type { KeeperRow } from '../keeper-access.ts'
import type { MediaRow } from '../media/media-view.ts'
import { isAnswerProblem, validateRunText } from '../templates/create-run-entry.ts'
import { queryVisibleTemplates, type ResolvedStep, resolveSteps } from '../templates/template-catalog.ts'
import { loadSteps, type RunWithSteps, sealedStep } from '../templates/template-runs.ts'
import { createDayFormatter, formatFileLink } from './archive-columns.ts'
import { type ArchivedAnswerFile, type ArchivedRun, createImportedId, type ExportedMedia } from './archive-format.ts'
import { canImportFile } from './import-notes.ts'
import { type ImportPart, maxTitleLength } from './import-plan.ts'
import { toArchivedMedia } from './read-for-archive.ts'
import { type PartContext, type UnpackContext, unpackMedia } from './unpack-media.ts'

type ExportedAnswerFile = ArchivedAnswerFile & ExportedMedia

interface UnfinishedRun extends RunWithSteps {
  files: ExportedAnswerFile[]
}

async function listUnfinishedRuns(services: Services, keeper: KeeperRow): Promise<UnfinishedRun[]> {
  const rows = await services.db
    .selectFrom('template_runs')
    .selectAll()
    .where('keeper_id', '=', keeper.id)
    .where('deleted_at', 'is', null)
    .where('finished_at', 'is', null)
    .orderBy('created_at')
    .orderBy('updated_at')
    .orderBy('id')
    .execute()
  const runs = await loadSteps(services, rows)
  const hasFiles = runs.some((run) => listFileAnswers(run).length > 0)
  const uploads = new Map((hasFiles ? await listPendingUploads(services, keeper) : []).map((row) => [row.id, row]))
  return runs.map((run) => ({
    ...run,
    files: listFileAnswers(run).flatMap(({ step, key, ids }) =>
      ids.flatMap((id) => {
        const row = uploads.get(id)
        return row ? { step, key, ...toArchivedMedia(row) } : []
      }),
    ),
  }))
}

function listFileAnswers({ row, steps }: RunWithSteps): { step: number; key: string; ids: string[] }[] {
  return row.answers.flatMap((answers, step) =>
    (steps[step]?.fields ?? []).flatMap(({ type, key }) => {
      const ids = type === 'media' ? answers[key] : undefined
      return Array.isArray(ids) ? { step, key, ids } : []
    }),
  )
}

function listPendingUploads({ db }: Services, keeper: KeeperRow): Promise<MediaRow[]> {
  return db.selectFrom('media').selectAll().where('keeper_id', '=', keeper.id).where('entity', 'is', null).execute()
}

export async function loadArchivedRuns(services: Services, keeper: KeeperRow): Promise<ArchivedRun[]> {
  return (await listUnfinishedRuns(services, keeper)).map((run) => {
    const { row, template, files } = run
    const fileAnswers = listFileAnswers(run)
    return {
      template: template.slug,
      name: template.label,
      step: row.step,
      answers: row.answers.map((answers, index) => {
        const fileKeys = new Set(fileAnswers.flatMap(({ step, key }) => (step === index ? key : [])))
        return Object.fromEntries(Object.entries(answers).filter(([key]) => !fileKeys.has(key)))
      }),
      ...(files.length > 0 && { files }),
      waitUntil: toIsoTimeOrNull(row.wait_until),
      createdAt: toIsoTime(row.created_at),
      updatedAt: toIsoTime(row.updated_at),
    }
  })
}

export async function listUnfinishedFiles(services: Services, keeper: KeeperRow): Promise<ExportedAnswerFile[]> {
  return (await listUnfinishedRuns(services, keeper)).flatMap(({ files }) => files)
}

export async function renderUnfinishedMarkdown(services: Services, keeper: KeeperRow): Promise<string> {
  const [runs, formatEntryDay] = await Promise.all([
    listUnfinishedRuns(services, keeper),
    createDayFormatter(services, keeper),
  ])
  const sections = runs.flatMap(({ row, template, steps, files }) => [
    `## ${template.label}, started on ${formatEntryDay(toIsoTime(row.created_at))}`,
    ...steps.flatMap(({ title, fields }, index) =>
      fields.flatMap(({ key, label, type }) => {
        const answer = row.answers[index]?.[key]
        const texts = isAnswered(answer) ? [[answer].flat().join(', ')] : []
        const fileLinks = files.filter((file) => file.step === index && file.key === key).map(formatFileLink)
        const blocks = type === 'media' ? fileLinks : texts
        if (blocks.length === 0) return []
        return [`### ${label === title ? title : `${title}: ${label}`}`, ...blocks]
      }),
    ),
  ])
  return [`# ${keeper.title}: unfinished`, ...sections].join('\n\n').concat('\n')
}

type RunPart = Extract<ImportPart, { kind: 'run' }>
type Answers = RunPart['run']['answers']

/**
 * Skips runs without a template and files without a question. Reopens the last step if its answers don't match an
 * entry. Adds a note for each.
 */
export async function createRunWrites(
  services: Services,
  { unpackContext, sentences }: PartContext,
  part: RunPart,
): Promise<Write[]> {
  const { target, position, run } = part
  const template = await queryVisibleTemplates(services, { id: target.owner_id })
    .where('engagement_templates.slug', '=', run.template)
    .where('engagement_templates.kind', '!=', 'page')
    .executeTakeFirst()
  if (!template) {
    sentences.push(
      `${run.name.slice(0, maxTitleLength)} is unfinished and was left out with its answers, because its template isn’t available here. They are still in the file you chose.`,
    )
    return []
  }
  const id = createImportedId(target.id, 'run', String(position))
  const steps = (await resolveSteps(services, [template])).get(template.id) ?? []
  const { answers, files, skippedCount } = await unpackAnswerFiles(services, unpackContext, part, steps)
  if (skippedCount > 0)
    sentences.push(
      `${template.label}, still unfinished, was imported without ${skippedCount === 1 ? '1 file' : `${skippedCount} files`} of its answers: no question asks for ${skippedCount === 1 ? 'it' : 'them'} anymore.`,
    )
  const completedRun = { runId: id, template, steps, answers }
  const reopened = run.step === sealedStep ? reopenLastStep(services, completedRun) : undefined
  if (reopened) sentences.push(reopened.note)
  return [
    ...files,
    services.db
      .insertInto('template_runs')
      .values({
        id,
        keeper_id: target.id,
        owner_id: target.owner_id,
        created_at: Date.parse(run.createdAt),
        updated_at: Date.parse(run.updatedAt),
        template_id: template.id,
        step: reopened?.step ?? run.step,
        answers: json(answers),
        entries: json([]),
        wait_until: run.waitUntil === null ? null : Date.parse(run.waitUntil),
      })
      .onConflict((conflict) => conflict.doNothing()),
  ]
}

async function unpackAnswerFiles(
  services: Services,
  unpackContext: UnpackContext,
  { target, position, run }: RunPart,
  steps: readonly ResolvedStep[],
): Promise<{ answers: Answers; files: Write[]; skippedCount: number }> {
  const answers = run.answers.map((answer) => ({ ...answer }))
  const files: Write[] = []
  let skippedCount = 0
  for (const [index, file] of (run.files ?? []).entries()) {
    const answer = answers[file.step]
    // In any other field, a file id would be shown as text.
    const hasMediaField = steps[file.step]?.fields.some(({ key, type }) => key === file.key && type === 'media')
    if (!answer || !hasMediaField) {
      skippedCount += 1
      continue
    }
    if (!canImportFile(unpackContext.zip, file)) continue
    const id = createImportedId(target.id, 'media', `run ${position} ${index}`)
    const upload = { id, keeper: target, createdAt: Date.parse(run.createdAt) }
    const writes = await unpackMedia(services, unpackContext, file, upload)
    if (writes.length === 0) continue
    const previous = answer[file.key]
    answer[file.key] = [...(Array.isArray(previous) ? previous : []), id]
    files.push(...writes)
  }
  return { answers, files, skippedCount }
}

function reopenLastStep(
  services: Services,
  completedRun: Omit<Parameters<typeof validateRunText>[1], 'timezone'>,
): { step: number; note: string } | undefined {
  try {
    validateRunText(services, { ...completedRun, timezone: 'UTC' })
    return undefined
  } catch (error) {
    if (!isAnswerProblem(error)) throw error
    const note = `${completedRun.template.label}: its answers couldn’t become an entry, so its last step is open again with all of them. ${error.message}`
    return { step: Math.max(completedRun.steps.length - 1, 0), note }
  }
}
