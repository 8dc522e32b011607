import { createHash } from 'node:crypto'
import type * as z from 'zod/mini'
import type { TemplateRun } from '#contract/keepers/engagement-templates.ts'
import { getLocalDay } from '#contract/keepers/local-time.ts'
import { logbook } from '#contract/keepers/logbook.ts'
import { moments } from '#contract/keepers/moments.ts'
import { reflections } from '#contract/keepers/reflections.ts'
import type { Person } from '#server/accounts/person.ts'
import { badField, Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import type { KeeperRow } from '../keeper-access.ts'
import { createLogbookEntry } from '../logbook/save-logbook-entry.ts'
import { requireAttachableMedia } from '../media/attach-media.ts'
import { createMoment } from '../moments/save-moment.ts'
import { createReflection } from '../reflections/save-reflection.ts'
import { composeEntry } from './compose-entry.ts'
import type { ResolvedStep, TemplateRow } from './template-catalog.ts'

interface CompletedRun {
  runId: string
  template: TemplateRow
  steps: readonly ResolvedStep[]
  answers: TemplateRun['answers']
  timezone: string
}

type NewReflection = z.output<typeof reflections.create.body & {}>
type NewMoment = z.output<typeof moments.create.body & {}>
type NewLogbookEntry = z.output<typeof logbook.create.body & {}>

/** Deterministic, so that concurrent or repeated runs create one entry. */
const createEntryId = (runId: string) => createHash('sha256').update(`${runId}\nentry`).digest('hex').slice(0, 32)

/** @throws Problem 400 without answers, and for a text that is too long or a missing file */
export async function validateRunEntry(
  services: Services,
  keeper: Pick<KeeperRow, 'id' | 'owner_id'>,
  completedRun: CompletedRun,
): Promise<void> {
  validateRunText(services, completedRun)
  if (completedRun.template.target !== 'moment') return
  const { mediaIds } = composeEntry(completedRun.steps, completedRun.answers)
  await requireAttachableMedia(
    services,
    keeper,
    mediaIds,
    { entity: 'moment', id: createEntryId(completedRun.runId) },
    'answers',
  )
}

/** Doesn't check the files, which may not be imported yet. @throws Problem 400 */
export function validateRunText(services: Services, completedRun: CompletedRun): void {
  const composed = composeEntry(completedRun.steps, completedRun.answers)
  if (composed.markdown === '' && composed.mediaIds.length === 0)
    throw badField('answers', 'Answer at least one question.')
  const endpoints = { reflection: reflections, moment: moments, logbook }[completedRun.template.target]
  const parsed = endpoints.create.body?.safeParse(toEntryBody(services, completedRun))
  if (parsed && !parsed.success)
    throw badField('answers', `What you wrote can’t be saved: ${parsed.error.issues[0]?.message ?? 'it isn’t valid'}`)
}

/** Idempotent. @throws as {@link validateRunEntry} */
export async function createRunEntry(
  services: Services,
  person: Person,
  keeper: Pick<KeeperRow, 'id' | 'owner_id'>,
  completedRun: CompletedRun,
): Promise<TemplateRun['entries']> {
  const { target } = completedRun.template
  const id = createEntryId(completedRun.runId)
  if (await entryExists(services, keeper, target, id)) return [{ entity: target, id }]
  // The last step of an imported run was completed without this check.
  await validateRunEntry(services, keeper, completedRun)
  const body = toEntryBody(services, completedRun)
  if (target === 'reflection') await createReflection(services, person, keeper.id, body as NewReflection)
  else if (target === 'moment') await createMoment(services, person, keeper.id, body as NewMoment)
  else await createLogbookEntry(services, person, keeper.id, body as NewLogbookEntry)
  return [{ entity: target, id }]
}

const targetTables = { reflection: 'reflections', moment: 'moments', logbook: 'logbook_entries' } as const

async function entryExists(
  { db }: Services,
  keeper: Pick<KeeperRow, 'id' | 'owner_id'>,
  target: keyof typeof targetTables,
  id: string,
): Promise<boolean> {
  const row = await db
    .selectFrom(targetTables[target] as 'reflections')
    .select('id')
    .where('id', '=', id)
    .where('keeper_id', '=', keeper.id)
    .where('owner_id', '=', keeper.owner_id)
    .executeTakeFirst()
  return row !== undefined
}

function toEntryBody(services: Services, { runId, template, steps, answers, timezone }: CompletedRun): object {
  const { markdown, tags, mediaIds, place: placeName } = composeEntry(steps, answers)
  const id = createEntryId(runId)
  const { label } = template
  if (template.target === 'reflection') return { id, content: markdown, topic: tags[0] ?? label }
  if (template.target === 'moment')
    return {
      id,
      title: label,
      body: markdown,
      topics: tags,
      mediaIds,
      timezone,
      ...(placeName && { place: { name: placeName } }),
    }
  return {
    id,
    entry: markdown,
    label,
    category: template.category || 'Engagement',
    tags,
    occurredOn: getLocalDay(timezone, services.now().getTime()),
  }
}

export const isAnswerProblem = (error: unknown): error is Problem =>
  error instanceof Problem && error.kind === 'bad-input'
