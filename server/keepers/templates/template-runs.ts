import { type Selectable, sql } from 'kysely'
import type { TemplateRun } from '#contract/keepers/engagement-templates.ts'
import type { Person } from '#server/accounts/person.ts'
import { createEntryNotFound } from '#server/catalog/catalog.ts'
import { json } from '#server/db/database.ts'
import { ForeignKeyViolation, UniqueViolation } from '#server/db/database-errors.ts'
import type { Schema } from '#server/db/schema.ts'
import { type PageOrder, parseCursor, readPage } from '#server/http/pages.ts'
import { createIdTakenProblem, Problem } from '#server/http/problem.ts'
import { Reply } from '#server/http/serve-area.ts'
import type { Services } from '#server/services.ts'
import { toIsoTimeOrNull } from '#server/values/iso-time.ts'
import { publishKeeperChanged } from '../entries/publish-keeper-changed.ts'
import { requireKeeperFor, toKeeperRef } from '../keeper-access.ts'
import { createRunEntry, isAnswerProblem } from './create-run-entry.ts'
import {
  type ResolvedStep,
  requireTemplateFor,
  resolveSteps,
  type TemplateRow,
  templateKind,
} from './template-catalog.ts'

export type RunRow = Selectable<Schema['template_runs']>

/** Step number of a completed run, whose answers are final. */
export const sealedStep = 1000

export interface RunWithSteps {
  row: RunRow
  template: TemplateRow
  steps: ResolvedStep[]
  /** Index of the next step; the number of steps once all are answered. A process can become shorter during a run. */
  nextIndex: number
}

function queryRuns({ db }: Services, person: Pick<Person, 'id'>) {
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
    const nextIndex = row.step === sealedStep ? templateSteps.length : Math.min(row.step, templateSteps.length - 1)
    return [{ row, template, steps: templateSteps, nextIndex }]
  })
}

async function toRunViews(
  services: Services,
  person: Pick<Person, 'id'>,
  runs: readonly RunWithSteps[],
): Promise<TemplateRun[]> {
  const templates = await templateKind.toViews(
    services,
    [...new Map(runs.map(({ template }) => [template.id, template])).values()],
    person,
  )
  return runs.flatMap(({ row, steps, nextIndex }) => {
    const template = templates.find(({ id }) => id === row.template_id)
    if (!template) return []
    return [
      {
        id: row.id,
        keeperId: row.keeper_id,
        template,
        step: nextIndex,
        answers: row.answers,
        fields: steps[nextIndex]?.fields ?? [],
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
  return (await toRunViews(services, person, [run]))[0] as TemplateRun
}

const pageSize = 200
const runOrder: PageOrder = [
  [sql<number>`case when template_runs.finished_at is null then 0 else 1 end`, 'asc'],
  [sql.ref('template_runs.updated_at'), 'desc'],
  [sql.ref('template_runs.id'), 'asc'],
]

/** Unfinished first, then newest first. @throws Problem 404; 400 for an invalid cursor */
export async function listRuns(
  services: Services,
  person: Person,
  keeperId: string,
  cursor?: string,
): Promise<Reply<TemplateRun[]>> {
  const keeper = await requireKeeperFor(services, person, keeperId)
  const { rows, next_cursor } = await readPage(
    queryRuns(services, person).where('template_runs.keeper_id', '=', keeper.id),
    {
      order: runOrder,
      after: parseCursor(cursor, ['number', 'number', 'string']),
      getPosition: ({ finished_at, updated_at, id }) => [finished_at === null ? 0 : 1, updated_at, id],
      pageSize,
      size: sql<number>`octet_length(cast(template_runs.answers as text))`,
    },
  )
  return new Reply(await toRunViews(services, person, await loadSteps(services, rows)), { extra: { next_cursor } })
}

export async function showRun(services: Services, person: Person, id: string): Promise<TemplateRun> {
  return toRunView(services, person, await finishRun(services, person, await requireRunFor(services, person, id)))
}

interface RunStart {
  keeperId: string
  id?: string | undefined
}

/** Idempotent; restores a discarded run. @throws Problem 404; 409 for an id in use; 422 for a page template */
export async function startTemplateRun(
  services: Services,
  person: Person,
  idOrSlug: string,
  { keeperId, id: clientId }: RunStart,
): Promise<TemplateRun> {
  const template = await requireTemplateFor(services, person, idOrSlug)
  const keeper = await requireKeeperFor(services, person, keeperId)
  if (template.kind === 'page')
    throw new Problem('unprocessable', {
      message: 'This template is a page that every keeper has. Open it in the keeper.',
    })
  const id = clientId ?? services.newId()
  const now = services.now().getTime()
  try {
    await services.db
      .insertInto('template_runs')
      .values({
        id,
        keeper_id: keeper.id,
        owner_id: keeper.owner_id,
        created_at: now,
        updated_at: now,
        deleted_at: null,
        template_id: template.id,
        step: 0,
        answers: json([]),
        entries: json([]),
        wait_until: null,
        finished_at: null,
      })
      .execute()
  } catch (error) {
    if (error instanceof ForeignKeyViolation) throw createEntryNotFound(templateKind)
    if (!(error instanceof UniqueViolation) || clientId === undefined) throw error
    const { numUpdatedRows } = await services.db
      .updateTable('template_runs')
      .set({ deleted_at: null })
      .where('id', '=', id)
      .where('keeper_id', '=', keeper.id)
      .where('owner_id', '=', person.id)
      .where('template_id', '=', template.id)
      .executeTakeFirst()
    if (numUpdatedRows === 0n) throw createIdTakenProblem()
  }
  publishKeeperChanged(services, keeper.owner_id, keeper.id, 'keeper')
  return toRunView(services, person, await requireRunFor(services, person, id))
}

export async function finishRun(
  services: Services,
  person: Person,
  run: RunWithSteps,
  timezone = 'UTC',
): Promise<RunWithSteps> {
  const { row, template, steps } = run
  if (row.step !== sealedStep || row.finished_at !== null) return run
  const keeper = toKeeperRef(row)
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

/** Moves an unfinished run to the trash. @throws Problem 404; 409 when it is finished */
export async function abandonRun(services: Services, person: Person, id: string): Promise<void> {
  const { row } = await requireRunFor(services, person, id)
  const { numUpdatedRows } = await services.db
    .updateTable('template_runs')
    .set({ deleted_at: services.now().getTime() })
    .where('id', '=', row.id)
    .where('owner_id', '=', person.id)
    .where('finished_at', 'is', null)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (numUpdatedRows === 0n)
    throw new Problem('conflict', {
      message: 'This template is already finished. To remove the entry it created, delete it in the keeper.',
    })
  publishKeeperChanged(services, row.owner_id, row.keeper_id, 'keeper')
}
