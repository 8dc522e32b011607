import { isAnswered } from '#contract/keepers/engagement-templates.ts'
import { isoTime, isoTimeOrNull } from '#server/iso-time.ts'
import type { Services } from '#server/services.ts'
import type { KeeperRow } from '../keeper-access.ts'
import { type FoundRun, withSteps } from '../templates/find-run.ts'
import type { ArchivedRun } from './archive-format.ts'

/** Templates that were begun in a keeper and became no entry yet, without those in the bin. */
async function unfinishedRuns(services: Services, keeper: KeeperRow): Promise<FoundRun[]> {
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
  return withSteps(services, rows)
}

/** Without files: they belong to nothing yet, and their ids mean nothing elsewhere. */
export async function archivedRuns(services: Services, keeper: KeeperRow): Promise<ArchivedRun[]> {
  return (await unfinishedRuns(services, keeper)).map(({ row, template, steps }) => ({
    template: template.slug,
    name: template.label,
    step: row.step,
    answers: row.answers.map((answers, at) => {
      const files = new Set(steps[at]?.fields.flatMap(({ type, key }) => (type === 'media' ? key : [])))
      return Object.fromEntries(Object.entries(answers).filter(([key]) => !files.has(key)))
    }),
    waitUntil: isoTimeOrNull(row.wait_until),
    createdAt: isoTime(row.created_at),
    updatedAt: isoTime(row.updated_at),
  }))
}

export async function unfinishedMarkdown(services: Services, keeper: KeeperRow): Promise<string> {
  const told = (await unfinishedRuns(services, keeper)).flatMap(({ row, template, steps }) => [
    `## ${template.label}, begun on ${isoTime(row.created_at).slice(0, 10)}`,
    ...steps.flatMap(({ title, fields }, at) =>
      fields.flatMap(({ key, label, type }) => {
        const said = row.answers[at]?.[key]
        if (type === 'media' || !isAnswered(said)) return []
        return [`### ${label === title ? title : `${title}: ${label}`}`, [said].flat().join(', ')]
      }),
    ),
  ])
  return [`# ${keeper.title}: not finished yet`, ...told].join('\n\n').concat('\n')
}
