import { sql, type Updateable } from 'kysely'
import type * as z from 'zod/mini'
import type { AgentClassEntry, agentClassCalls, ClassDefaults } from '#contract/agents/agent-classes.ts'
import type { Person } from '#server/accounts/person.ts'
import { json } from '#server/db/database.ts'
import type { Schema } from '#server/db/schema.ts'
import { peopleWhoSee } from '#server/domains/people-of-domains.ts'
import { badField, Problem } from '#server/http/problem.ts'
import { insertUnderSlug, slugBase } from '#server/insert-under-slug.ts'
import type { Services } from '#server/services.ts'
import { knownToolNames } from '../tools/known-tools.ts'
import { type ClassRow, classView, requireOwnClassFor, visibleClasses } from './visible-classes.ts'

type NewClass = z.output<typeof agentClassCalls.create.body & {}>
type ClassChanges = z.output<typeof agentClassCalls.update.body & {}>

const tries = 4

/** Its slug is made from the name; when it is taken, with a few characters more. @throws Problem 400 */
export async function createClass(services: Services, person: Person, given: NewClass): Promise<AgentClassEntry> {
  await refuseName(services, person, given.name)
  await refuseTools(services, given.defaults)
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
 * Changes a class of one's own; agents that were made with it stay as they are. Its slug stays: they know it by that.
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
    await refuseTools(services, given.defaults, row.defaults)
    const changes: Updateable<Schema['agent_classes']> = { name, base, description, defaults: json(defaults) }
    const saved = await services.db
      .updateTable('agent_classes')
      .set({ ...changes, updated_at: services.now().getTime(), rev: row.rev + 1 })
      .where('id', '=', row.id)
      .where('rev', '=', row.rev)
      .returningAll()
      .executeTakeFirst()
    if (saved) return classView(services, saved, person)
    // Somebody was faster: look again, and tell who said what they built on.
    if (attempt === tries) throw new Problem('conflict')
  }
}

/**
 * Deletes a class of one's own that no agent was made with: one's own agents, and those of the people who may use it.
 * @throws Problem 404, 403; 409 while agents use it
 */
export async function removeClass(services: Services, person: Person, id: string): Promise<void> {
  const { db } = services
  const row = await requireOwnClassFor(services, person, id)
  // In a large domain they are very many, and what each is made of is long: looked for where they lie.
  const using = await db.longRead(
    db
      .selectFrom('agents')
      .select('id')
      .where((where) =>
        where.or([where('owner_id', '=', person.id), where('owner_id', 'in', peopleWhoSee(db, person.id))]),
      )
      .where(sql<string | null>`config ->> 'class_slug'`, '=', row.slug)
      .limit(1),
  )
  if (using.length > 0)
    throw new Problem('conflict', {
      message: 'Agents were made with this class. Delete them, or save them as another class; then it can be deleted.',
    })
  await db.deleteFrom('agent_classes').where('id', '=', row.id).where('owner_id', '=', person.id).execute()
}

async function refuseName(services: Services, person: Person, name: string, ownId?: string): Promise<void> {
  const rows = await visibleClasses(services, person)
    .where((where) => where.or([where('system', '=', true), where('owner_id', '=', person.id)]))
    .execute()
  const isTaken = rows.some((row) => row.id !== ownId && row.name.toLowerCase() === name.toLowerCase())
  if (isTaken) throw badField('name', 'There is a class of this name. Choose another one.')
}

/** What it had before stays, so that a tool server that is gone never blocks an edit of something else. */
async function refuseTools(
  services: Services,
  defaults: ClassDefaults | undefined,
  before: ClassDefaults = {},
): Promise<void> {
  const added = (defaults?.tools ?? []).filter((tool) => !before.tools?.includes(tool))
  if (added.length === 0) return
  const known = await knownToolNames(services)
  const unknown = added.filter((tool) => !known.includes(tool))
  if (unknown.length > 0)
    throw badField('defaults.tools', `Unknown: ${unknown.join(', ')}. The tools are ${known.join(', ')}.`)
}
