import { isAnswered } from '#contract/keepers/engagement-templates.ts'
import { isoTime, isoTimeOrNull } from '#server/iso-time.ts'
import type { Services } from '#server/services.ts'
import type { KeeperRow } from '../keeper-access.ts'
import type { MediaRow } from '../media/media-view.ts'
import { type FoundRun, withSteps } from '../templates/find-run.ts'
import type { ArchivedAnswerFile, ArchivedRun } from './archive-format.ts'
import { daysOf, fileLink } from './archive-markdown.ts'
import { archivedMediaOf } from './read-for-archive.ts'

interface UnfinishedRun extends FoundRun {
  files: ArchivedAnswerFile[]
}

/** Undeleted template runs that have not become entries, with the files of their answers. */
async function unfinishedRuns(services: Services, keeper: KeeperRow): Promise<UnfinishedRun[]> {
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
  const runs = await withSteps(services, rows)
  const isAny = runs.some((run) => answersWithFiles(run).length > 0)
  const uploads = new Map((isAny ? await waitingUploads(services, keeper) : []).map((row) => [row.id, row]))
  return runs.map((run) => ({
    ...run,
    files: answersWithFiles(run).flatMap(({ step, key, ids }) =>
      ids.flatMap((id) => {
        const row = uploads.get(id)
        return row ? { step, key, ...archivedMediaOf(row) } : []
      }),
    ),
  }))
}

function answersWithFiles({ row, steps }: FoundRun): { step: number; key: string; ids: string[] }[] {
  return row.answers.flatMap((answers, step) =>
    (steps[step]?.fields ?? []).flatMap(({ type, key }) => {
      const ids = type === 'media' ? answers[key] : undefined
      return Array.isArray(ids) ? { step, key, ids } : []
    }),
  )
}

function waitingUploads({ db }: Services, keeper: KeeperRow): Promise<MediaRow[]> {
  return db.selectFrom('media').selectAll().where('keeper_id', '=', keeper.id).where('entity', 'is', null).execute()
}

export async function archivedRuns(services: Services, keeper: KeeperRow): Promise<ArchivedRun[]> {
  return (await unfinishedRuns(services, keeper)).map((run) => {
    const { row, template, files } = run
    const withFiles = answersWithFiles(run)
    return {
      template: template.slug,
      name: template.label,
      step: row.step,
      answers: row.answers.map((answers, at) => {
        const left = new Set(withFiles.flatMap(({ step, key }) => (step === at ? key : [])))
        return Object.fromEntries(Object.entries(answers).filter(([key]) => !left.has(key)))
      }),
      ...(files.length > 0 && { files }),
      waitUntil: isoTimeOrNull(row.wait_until),
      createdAt: isoTime(row.created_at),
      updatedAt: isoTime(row.updated_at),
    }
  })
}

export async function unfinishedFiles(services: Services, keeper: KeeperRow): Promise<ArchivedAnswerFile[]> {
  return (await unfinishedRuns(services, keeper)).flatMap(({ files }) => files)
}

export async function unfinishedMarkdown(services: Services, keeper: KeeperRow): Promise<string> {
  const [runs, day] = await Promise.all([unfinishedRuns(services, keeper), daysOf(services, keeper)])
  const told = runs.flatMap(({ row, template, steps, files }) => [
    `## ${template.label}, started on ${day(isoTime(row.created_at))}`,
    ...steps.flatMap(({ title, fields }, at) =>
      fields.flatMap(({ key, label, type }) => {
        const said = row.answers[at]?.[key]
        const added = files.filter((file) => file.step === at && file.key === key).map(fileLink)
        const blocks = type === 'media' ? added : isAnswered(said) ? [[said].flat().join(', ')] : []
        return blocks.length > 0 ? [`### ${label === title ? title : `${title}: ${label}`}`, ...blocks] : []
      }),
    ),
  ])
  return [`# ${keeper.title}: unfinished`, ...told].join('\n\n').concat('\n')
}
