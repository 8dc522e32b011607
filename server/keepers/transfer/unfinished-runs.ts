import { isAnswered } from '#contract/keepers/engagement-templates.ts'
import type { Services } from '#server/services.ts'
import { toIsoTime, toIsoTimeOrNull } from '#server/values/iso-time.ts'
import type { KeeperRow } from '../keeper-access.ts'
import type { MediaRow } from '../media/media-view.ts'
import { loadSteps, type RunWithSteps } from '../templates/template-runs.ts'
import type { ArchivedAnswerFile, ArchivedRun, ExportedMedia } from './archive-format.ts'
import { createDayFormatter, formatFileLink } from './archive-markdown.ts'
import { toArchivedMedia } from './read-for-archive.ts'

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
        const fileLinks = files.filter((file) => file.step === index && file.key === key).map(formatFileLink)
        const blocks = type === 'media' ? fileLinks : isAnswered(answer) ? [[answer].flat().join(', ')] : []
        return blocks.length > 0 ? [`### ${label === title ? title : `${title}: ${label}`}`, ...blocks] : []
      }),
    ),
  ])
  return [`# ${keeper.title}: unfinished`, ...sections].join('\n\n').concat('\n')
}
