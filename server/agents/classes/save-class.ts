import type { Updateable } from 'kysely'
import type * as z from 'zod/mini'
import type { AgentClassEntry, agentClassCalls, ClassDefaults } from '#contract/agents/agent-classes.ts'
import type { Person } from '#server/accounts/person.ts'
import { json } from '#server/db/database.ts'
import type { Schema } from '#server/db/schema.ts'
import { badField, Problem } from '#server/http/problem.ts'
import { insertWithSlug, toSlugBase } from '#server/insert-with-slug.ts'
import type { Services } from '#server/services.ts'
import { listToolNames } from '../tools/available-tools.ts'
import { type ClassRow, requireOwnClass, selectVisibleClasses, toClassView } from './visible-classes.ts'

type NewClass = z.output<typeof agentClassCalls.create.body & {}>
type ClassChanges = z.output<typeof agentClassCalls.update.body & {}>

const maxSaveAttempts = 4

export async function createClass(services: Services, person: Person, input: NewClass): Promise<AgentClassEntry> {
  await requireFreeName(services, person, input.name)
  await requireAvailableTools(services, person, input.defaults)
  const row = await insertWithSlug(services, toSlugBase(input.name) || 'class', (idAndSlug): Promise<ClassRow> => {
    const now = services.now().getTime()
    return services.db
      .insertInto('agent_classes')
      .values({
        ...idAndSlug,
        owner_id: person.id,
        name: input.name,
        description: input.description ?? '',
        system: false,
        base: input.base,
        defaults: json(input.defaults ?? {}),
        created_at: now,
        updated_at: now,
      })
      .returningAll()
      .executeTakeFirstOrThrow()
  })
  return toClassView(services, row, person)
}

/** The slug stays, because agents refer to it. @throws Problem 404, 403, 400; `stale` with `{yours, current}` */
export async function updateClass(
  services: Services,
  person: Person,
  id: string,
  input: ClassChanges,
  ifMatch: number | null,
): Promise<AgentClassEntry> {
  for (let attempt = 1; ; attempt++) {
    const row = await requireOwnClass(services, person, id)
    const { name = row.name, base = row.base, description = row.description, defaults = row.defaults } = input
    if (ifMatch !== null && ifMatch !== row.rev) {
      const submitted = await toClassView(services, { ...row, name, base, description, defaults, rev: ifMatch }, person)
      throw new Problem('stale', { data: { yours: submitted, current: await toClassView(services, row, person) } })
    }
    if (name !== row.name) await requireFreeName(services, person, name, row.id)
    await requireAvailableTools(services, person, input.defaults, row.defaults)
    const changes: Updateable<Schema['agent_classes']> = { name, base, description, defaults: json(defaults) }
    const saved = await services.db
      .updateTable('agent_classes')
      .set({ ...changes, updated_at: services.now().getTime(), rev: row.rev + 1 })
      .where('id', '=', row.id)
      .where('rev', '=', row.rev)
      .returningAll()
      .executeTakeFirst()
    if (saved) return toClassView(services, saved, person)
    if (attempt === maxSaveAttempts) throw new Problem('conflict')
  }
}

async function requireFreeName(services: Services, person: Person, name: string, excludedId?: string): Promise<void> {
  const rows = await selectVisibleClasses(services, person)
    .where((where) => where.or([where('system', '=', true), where('owner_id', '=', person.id)]))
    .execute()
  const isTaken = rows.some((row) => row.id !== excludedId && row.name.toLowerCase() === name.toLowerCase())
  if (isTaken) throw badField('name', 'There is already a class with this name. Choose another one.')
}

/** Existing tools stay valid, so that an unreachable tool server never blocks other edits. */
async function requireAvailableTools(
  services: Services,
  person: Person,
  defaults: ClassDefaults | undefined,
  previous: ClassDefaults = {},
): Promise<void> {
  const addedTools = (defaults?.tools ?? []).filter((tool) => !previous.tools?.includes(tool))
  if (addedTools.length === 0) return
  const availableTools = await listToolNames(services, person, addedTools)
  const unknownTools = addedTools.filter((tool) => !availableTools.includes(tool))
  if (unknownTools.length > 0)
    throw badField(
      'defaults.tools',
      `Unknown tools: ${unknownTools.join(', ')}. Available tools: ${availableTools.join(', ')}.`,
    )
}
