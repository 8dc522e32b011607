import type { Selectable } from 'kysely'
import type { TemplateRun } from '#contract/keepers/engagement-templates.ts'
import type { Person } from '#server/accounts/person.ts'
import type { Schema } from '#server/db/schema.ts'
import { Problem } from '#server/http/problem.ts'
import { isoTimeOrNull } from '#server/iso-time.ts'
import type { Services } from '#server/services.ts'
import { type AskedStep, stepsOf } from './template-steps.ts'
import { type TemplateRow, templateViews } from './template-view.ts'

export type RunRow = Selectable<Schema['template_runs']>

/** Step number of a completed run, whose answers are final. */
export const sealedStep = 1000

export interface FoundRun {
  row: RunRow
  template: TemplateRow
  steps: AskedStep[]
  /** Index of the next step, or the number of steps after the last; a process may have become shorter since. */
  next: number
}

/** Undeleted runs of this person in undeleted keepers. */
export function runsFor({ db }: Services, person: Pick<Person, 'id'>) {
  return db
    .selectFrom('template_runs')
    .innerJoin('keepers', 'keepers.id', 'template_runs.keeper_id')
    .selectAll('template_runs')
    .where('template_runs.owner_id', '=', person.id)
    .where('template_runs.deleted_at', 'is', null)
    .where('keepers.deleted_at', 'is', null)
}

/** @throws Problem 404 */
export async function requireRunFor(services: Services, person: Pick<Person, 'id'>, id: string): Promise<FoundRun> {
  const row = await runsFor(services, person).where('template_runs.id', '=', id).executeTakeFirst()
  const [found] = row ? await withSteps(services, [row]) : []
  if (!found) throw new Problem('not-found', { message: 'Run not found' })
  return found
}

export async function withSteps(services: Services, rows: readonly RunRow[]): Promise<FoundRun[]> {
  if (rows.length === 0) return []
  const templates = await services.db
    .selectFrom('engagement_templates')
    .selectAll()
    .where('id', 'in', [...new Set(rows.map(({ template_id }) => template_id))])
    .execute()
  const steps = await stepsOf(services, templates)
  return rows.flatMap((row) => {
    const template = templates.find(({ id }) => id === row.template_id)
    const asked = steps.get(row.template_id)
    if (!template || !asked) return []
    const next = row.step === sealedStep ? asked.length : Math.min(row.step, asked.length - 1)
    return [{ row, template, steps: asked, next }]
  })
}

export async function runViews(
  services: Services,
  person: Pick<Person, 'id'>,
  runs: readonly FoundRun[],
): Promise<TemplateRun[]> {
  const templates = await templateViews(
    services,
    [...new Map(runs.map(({ template }) => [template.id, template])).values()],
    person,
  )
  return runs.flatMap(({ row, steps, next }) => {
    const template = templates.find(({ id }) => id === row.template_id)
    if (!template) return []
    return [
      {
        id: row.id,
        keeperId: row.keeper_id,
        template,
        step: next,
        answers: row.answers,
        fields: steps[next]?.fields ?? [],
        steps: steps.map(({ title, prompt, agentSlug, fields }) => ({ title, prompt, agentSlug, fields })),
        waitUntil: isoTimeOrNull(row.wait_until),
        finishedAt: isoTimeOrNull(row.finished_at),
        entries: row.entries,
        rev: row.rev,
      },
    ]
  })
}

export async function runView(services: Services, person: Pick<Person, 'id'>, run: FoundRun): Promise<TemplateRun> {
  const [view] = await runViews(services, person, [run])
  if (!view) throw new Error('A run has no view')
  return view
}
