import type { Updateable } from 'kysely'
import type * as z from 'zod/mini'
import type { AgentClassEntry, agentClassCalls, ClassDefaults } from '#contract/agents/agent-classes.ts'
import type { Person } from '#server/accounts/person.ts'
import { json } from '#server/db/database.ts'
import type { Schema } from '#server/db/schema.ts'
import { badField, Problem } from '#server/http/problem.ts'
import { insertUnderSlug, slugBase } from '#server/insert-under-slug.ts'
import type { Services } from '#server/services.ts'
import { knownToolNames } from '../tools/known-tools.ts'
import { type ClassRow, classView, requireOwnClassFor, visibleClasses } from './visible-classes.ts'

type NewClass = z.output<typeof agentClassCalls.create.body & {}>
type ClassChanges = z.output<typeof agentClassCalls.update.body & {}>

const tries = 4

export async function createClass(services: Services, person: Person, given: NewClass): Promise<AgentClassEntry> {
  await refuseName(services, person, given.name)
  await refuseTools(services, person, given.defaults)
  const row = await insertUnderSlug(services, slugBase(given.name) || 'class', (names): Promise<ClassRow> => {
    const now = services.now().getTime()
    return services.db
      .insertInto('agent_classes')
      .values({
        ...names,
        owner_id: person.id,
        name: given.name,
        description: given.description ?? '',
        system: false,
        base: given.base,
        defaults: json(given.defaults ?? {}),
        created_at: now,
        updated_at: now,
      })
      .returningAll()
      .executeTakeFirstOrThrow()
  })
  return classView(services, row, person)
}

/**
 * Leaves agents made with the class unchanged; its slug stays because they refer to it.
 * @throws Problem 404, 403, 400; `stale` with `{yours, current}`
 */
export async function updateClass(
  services: Services,
  person: Person,
  id: string,
  given: ClassChanges,
  ifMatch: number | null,
): Promise<AgentClassEntry> {
  for (let attempt = 1; ; attempt++) {
    const row = await requireOwnClassFor(services, person, id)
    const { name = row.name, base = row.base, description = row.description, defaults = row.defaults } = given
    if (ifMatch !== null && ifMatch !== row.rev) {
      const yours = await classView(services, { ...row, name, base, description, defaults, rev: ifMatch }, person)
      throw new Problem('stale', { data: { yours, current: await classView(services, row, person) } })
    }
    if (name !== row.name) await refuseName(services, person, name, row.id)
    await refuseTools(services, person, given.defaults, row.defaults)
    const changes: Updateable<Schema['agent_classes']> = { name, base, description, defaults: json(defaults) }
    const saved = await services.db
      .updateTable('agent_classes')
      .set({ ...changes, updated_at: services.now().getTime(), rev: row.rev + 1 })
      .where('id', '=', row.id)
      .where('rev', '=', row.rev)
      .returningAll()
      .executeTakeFirst()
    if (saved) return classView(services, saved, person)
    // Saved concurrently: retry, or report the conflict to a client that sent If-Match.
    if (attempt === tries) throw new Problem('conflict')
  }
}

async function refuseName(services: Services, person: Person, name: string, ownId?: string): Promise<void> {
  const rows = await visibleClasses(services, person)
    .where((where) => where.or([where('system', '=', true), where('owner_id', '=', person.id)]))
    .execute()
  const isTaken = rows.some((row) => row.id !== ownId && row.name.toLowerCase() === name.toLowerCase())
  if (isTaken) throw badField('name', 'There is already a class with this name. Choose another one.')
}

/** Existing tools stay valid, so that an unreachable tool server never blocks other edits. */
async function refuseTools(
  services: Services,
  person: Person,
  defaults: ClassDefaults | undefined,
  before: ClassDefaults = {},
): Promise<void> {
  const added = (defaults?.tools ?? []).filter((tool) => !before.tools?.includes(tool))
  if (added.length === 0) return
  const known = await knownToolNames(services, person, added)
  const unknown = added.filter((tool) => !known.includes(tool))
  if (unknown.length > 0)
    throw badField('defaults.tools', `Unknown: ${unknown.join(', ')}. Available tools: ${known.join(', ')}.`)
}
