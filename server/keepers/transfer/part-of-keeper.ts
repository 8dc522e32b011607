import { foldedTopic } from '#contract/keepers/topics.ts'
import { shippedSlugs } from '#contract/themes/theme-keys.ts'
import type { Write } from '#server/db/database.ts'
import type { Services } from '#server/services.ts'
import { typeOfKeeper } from '../type-of-keeper.ts'
import { type ImportPart, longestTitle } from './import-plan.ts'
import { importedId } from './imported-id.ts'

type KeeperPart = Extract<ImportPart, { kind: 'keeper' }>

/** A keeper and its topics. What is there already stays as it is; that its type is not here is said. */
export async function keeperWrites(
  services: Services,
  { into, keeper: given }: KeeperPart,
  notes: string[],
): Promise<Write[]> {
  const { db } = services
  const { id: keeperId, owner_id: personId } = into
  const title = given.title.slice(0, longestTitle) || 'Imported keeper'
  const word = given.keeperType.slice(0, 80) || 'custom'
  const type = await typeOfKeeper(services, { id: personId }, { keeperType: word })
  if (!type) notes.push(`${title}: no keeper type here is called “${word}”. It keeps the word, and has no type.`)
  const made = {
    created_at: Date.parse(given.createdAt),
    updated_at: Date.parse(given.updatedAt),
    deleted_at: null,
  }
  const keeper = db
    .insertInto('keepers')
    .values({
      id: keeperId,
      owner_id: personId,
      title,
      purpose: given.purpose.slice(0, 2000),
      keeper_type: word,
      keeper_type_id: type?.id ?? null,
      memory_pattern: given.memoryPattern.slice(0, 80) || 'SOLE',
      theme: (shippedSlugs as readonly string[]).includes(given.theme) ? given.theme : 'keeper-classic',
      is_public: false,
      ...made,
    })
    .onConflict((conflict) => conflict.doNothing())
  const topics = given.topics.flatMap((topic): Write[] => {
    const folded = foldedTopic(topic.name)
    if (!folded) return []
    const id = importedId(keeperId, 'topic', folded)
    const aliases = topic.aliases.filter((alias) => foldedTopic(alias) !== '')
    return [
      db
        .insertInto('topics')
        .values({
          id,
          keeper_id: keeperId,
          owner_id: personId,
          created_at: Date.parse(topic.createdAt),
          updated_at: Date.parse(topic.updatedAt),
          deleted_at: null,
          name: topic.name.slice(0, 80),
          name_folded: folded,
          color: topic.color,
          note: topic.note.slice(0, 5000),
          pinned: topic.pinned,
          merged_into: null,
        })
        .onConflict((conflict) => conflict.doNothing()),
      ...aliases.map((alias) =>
        db
          .insertInto('topic_aliases')
          .values({ keeper_id: keeperId, alias: alias.slice(0, 80), alias_folded: foldedTopic(alias), topic_id: id })
          .onConflict((conflict) => conflict.doNothing()),
      ),
    ]
  })
  return [keeper, ...topics]
}
