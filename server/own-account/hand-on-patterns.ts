import { json, type Write } from '#server/db/database.ts'
import { slugBase, slugBehind } from '#server/insert-under-slug.ts'
import { meantBy, type PatternRow, visiblePatterns } from '#server/keepers/patterns/visible-patterns.ts'
import { whoMeans } from '#server/keepers/patterns/who-means.ts'
import type { Services } from '#server/services.ts'

/** Writes that give everyone else their own copies of the leaving person's patterns that their keepers use. */
export async function handingOnPatterns(services: Services, personId: string): Promise<Write[]> {
  const { db } = services
  const theirs = await db.selectFrom('memory_patterns').selectAll().where('owner_id', '=', personId).execute()
  const writes: Write[] = []
  for (const row of theirs) {
    const meanings = (await whoMeans(services, { id: personId }, row)).filter(({ ownerId }) => ownerId !== personId)
    for (const [heir, theyMean] of Map.groupBy(meanings, ({ ownerId }) => ownerId)) {
      const names = { name: await nameFor(services, heir, row), slug: slugBehind(services, slugBase(row.slug)) }
      writes.push(
        copying(services, row, heir, names),
        // Keepers naming the pattern resolve to the copy, since own patterns come first.
        ...theyMean
          .filter(({ said }) => said.toLowerCase() !== names.name.toLowerCase())
          .map(({ said }) =>
            db
              .updateTable('keepers')
              .set({ memory_pattern: names.slug })
              .where('owner_id', '=', heir)
              .where('memory_pattern', '=', said),
          ),
      )
    }
  }
  return writes
}

/** Another name if the heir's keepers mean something else by this one. */
async function nameFor(services: Services, heir: string, { id, name }: PatternRow): Promise<string> {
  const visible = await visiblePatterns(services, { id: heir }).execute()
  const meant = meantBy(name, heir, visible)
  return meant?.id === id ? name : `${name.slice(0, 60)} ${services.newId().slice(-8)}`
}

function copying(services: Services, row: PatternRow, heir: string, names: Pick<PatternRow, 'name' | 'slug'>): Write {
  const now = services.now().getTime()
  return services.db.insertInto('memory_patterns').values({
    ...names,
    id: services.newId(),
    owner_id: heir,
    description: row.description,
    system: false,
    sections: json(row.sections),
    capture_from: json(row.capture_from),
    promote: json(row.promote),
    keeps_story: row.keeps_story,
    created_at: now,
    updated_at: now,
  })
}
