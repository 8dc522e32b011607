import { insertEntryCopy } from '#server/catalog/save-entry.ts'
import type { Write } from '#server/db/database.ts'
import { addSlugSuffix, toSlugBase } from '#server/db/insert-with-slug.ts'
import { findPatternUsers } from '#server/keepers/patterns/find-pattern-users.ts'
import { type PatternRow, queryVisiblePatterns, resolvePattern } from '#server/keepers/patterns/visible-patterns.ts'
import type { Services } from '#server/services.ts'

export async function buildPatternTransfers(services: Services, personId: string): Promise<Write[]> {
  const { db } = services
  const leavingPatterns = await db.selectFrom('memory_patterns').selectAll().where('owner_id', '=', personId).execute()
  const writes: Write[] = []
  for (const row of leavingPatterns) {
    const usages = (await findPatternUsers(services, { id: personId }, row)).filter(
      ({ ownerId }) => ownerId !== personId,
    )
    for (const [heir, heirUsages] of Map.groupBy(usages, ({ ownerId }) => ownerId)) {
      const names = {
        name: await chooseCopyName(services, heir, row),
        slug: addSlugSuffix(services, toSlugBase(row.slug)),
      }
      writes.push(
        insertEntryCopy(services, 'memory_patterns', row, { ...names, owner_id: heir }),
        // Keepers naming the pattern resolve to the copy, since own patterns come first.
        ...heirUsages
          .filter(({ reference: writtenName }) => writtenName.toLowerCase() !== names.name.toLowerCase())
          .map(({ reference: writtenName }) =>
            db
              .updateTable('keepers')
              .set({ memory_pattern: names.slug })
              .where('owner_id', '=', heir)
              .where('memory_pattern', '=', writtenName),
          ),
      )
    }
  }
  return writes
}

async function chooseCopyName(services: Services, heir: string, { id, name }: PatternRow): Promise<string> {
  const visible = await queryVisiblePatterns(services, { id: heir }).execute()
  const resolvedPattern = resolvePattern(name, heir, visible)
  return resolvedPattern?.id === id ? name : `${name.slice(0, 60)} ${services.newId().slice(-8)}`
}
