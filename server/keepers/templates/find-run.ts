import type { Selectable } from 'kysely'
import type { TemplateRun } from '#contract/keepers/engagement-templates.ts'
import type { Person } from '#server/accounts/person.ts'
import type { Schema } from '#server/db/schema.ts'
import { Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { toIsoTimeOrNull } from '#server/values/iso-time.ts'
import { type TemplateRow, templateKind } from './template-catalog.ts'
import { type ResolvedStep, resolveSteps } from './template-steps.ts'

export type RunRow = Selectable<Schema['template_runs']>

/** Step number of a completed run, whose answers are final. */
export const sealedStep = 1000

export interface RunWithSteps {
  row: RunRow
  template: TemplateRow
  steps: ResolvedStep[]
  /** Index of the next step, or the number of steps after the last; a process may have become shorter since. */
  next: number
}

export function queryRuns({ db }: Services, person: Pick<Person, 'id'>) {
  return db
    .selectFrom('template_runs')
    .innerJoin('keepers', 'keepers.id', 'template_runs.keeper_id')
    .selectAll('template_runs')
    .where('template_runs.owner_id', '=', person.id)
    .where('template_runs.deleted_at', 'is', null)
    .where('keepers.deleted_at', 'is', null)
}

/** @throws Problem 404 */
export async function requireRunFor(services: Services, person: Pick<Person, 'id'>, id: string): Promise<RunWithSteps> {
  const row = await queryRuns(services, person).where('template_runs.id', '=', id).executeTakeFirst()
  const [run] = row ? await loadSteps(services, [row]) : []
  if (!run) throw new Problem('not-found', { message: 'Run not found' })
  return run
}

export async function loadSteps(services: Services, rows: readonly RunRow[]): Promise<RunWithSteps[]> {
  if (rows.length === 0) return []
  const templates = await services.db
    .selectFrom('engagement_templates')
    .selectAll()
    .where('id', 'in', [...new Set(rows.map(({ template_id }) => template_id))])
    .execute()
  const steps = await resolveSteps(services, templates)
  return rows.flatMap((row) => {
    const template = templates.find(({ id }) => id === row.template_id)
    const templateSteps = steps.get(row.template_id)
    if (!template || !templateSteps) return []
    const next = row.step === sealedStep ? templateSteps.length : Math.min(row.step, templateSteps.length - 1)
    return [{ row, template, steps: templateSteps, next }]
  })
}

export async function toRunViews(
  services: Services,
  person: Pick<Person, 'id'>,
  runs: readonly RunWithSteps[],
): Promise<TemplateRun[]> {
  const templates = await templateKind.toViews(
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
        waitUntil: toIsoTimeOrNull(row.wait_until),
        finishedAt: toIsoTimeOrNull(row.finished_at),
        entries: row.entries,
        rev: row.rev,
      },
    ]
  })
}

export async function toRunView(
  services: Services,
  person: Pick<Person, 'id'>,
  run: RunWithSteps,
): Promise<TemplateRun> {
  const [view] = await toRunViews(services, person, [run])
  if (!view) throw new Error('A run has no view')
  return view
}
