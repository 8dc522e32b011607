import { foldedTopic } from '#contract/keepers/topics.ts'
import type { Write } from '#server/db/database.ts'
import { UniqueViolation } from '#server/db/database-errors.ts'
import { Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { findTopics } from './link-topics.ts'

export interface Names {
  name: string
  /** Unique, without the name itself. */
  aliases: string[]
}

/** Trimmed names; `previousName` becomes an alias of a renamed topic. */
export function namesOf(name: string, aliases: readonly string[], formerly?: string): Names {
  const tidy = (given: string) => given.trim().replace(/\s+/g, ' ')
  const byFolded = new Map<string, string>()
  for (const alias of formerly === undefined ? aliases : [...aliases, formerly]) {
    const folded = foldedTopic(alias)
    if (folded !== foldedTopic(name) && !byFolded.has(folded)) byFolded.set(folded, tidy(alias))
  }
  return { name: tidy(name), aliases: [...byFolded.values()] }
}

/**
 * Each name or alias belongs to one topic per keeper. Names in `current` are skipped: another topic may have taken them
 * while this one was deleted. @throws Problem 409 that names the field and the other topic
 */
export async function requireFreeNames(
  services: Services,
  keeperId: string,
  { name, aliases }: Names,
  own?: { id: string; names: readonly string[] },
): Promise<void> {
  const present = new Set(own?.names.map(foldedTopic))
  const wanted = [name, ...aliases].filter((said) => !present.has(foldedTopic(said)))
  if (wanted.length === 0) return
  const taken = await findTopics(services, keeperId, wanted.map(foldedTopic))
  for (const said of wanted) {
    const other = taken.get(foldedTopic(said))
    if (!other || other.id === own?.id) continue
    const message =
      foldedTopic(other.name) === foldedTopic(said)
        ? `There is already a topic “${other.name}”. Choose another name, or merge the two.`
        : `“${said}” already belongs to the topic “${other.name}”. Choose another name, or merge the two.`
    throw new Problem('conflict', { message, fields: { [said === name ? 'name' : 'aliases']: message } })
  }
}

export async function aliasesOf({ db }: Services, topicId: string): Promise<string[]> {
  const rows = await db.selectFrom('topic_aliases').select('alias').where('topic_id', '=', topicId).execute()
  return rows.map(({ alias }) => alias)
}

/** Replaces the aliases of a topic, taking them from deleted topics. */
export function aliasWrites({ db }: Services, keeperId: string, topicId: string, aliases: readonly string[]): Write[] {
  const own = db.deleteFrom('topic_aliases').where('keeper_id', '=', keeperId).where('topic_id', '=', topicId)
  if (aliases.length === 0) return [own]
  const binned = db
    .selectFrom('topics')
    .select('id')
    .where('keeper_id', '=', keeperId)
    .where('deleted_at', 'is not', null)
  return [
    own,
    db
      .deleteFrom('topic_aliases')
      .where('keeper_id', '=', keeperId)
      .where('alias_folded', 'in', aliases.map(foldedTopic))
      .where('topic_id', 'in', binned),
    db.insertInto('topic_aliases').values(
      aliases.map((alias) => ({
        keeper_id: keeperId,
        topic_id: topicId,
        alias,
        alias_folded: foldedTopic(alias),
      })),
    ),
  ]
}

/** Translates the unique violation of a race into a Problem. */
export async function tellTakenName<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write()
  } catch (error) {
    if (!(error instanceof UniqueViolation)) throw error
    const message = 'Another topic just took this name. Choose another name, or merge the two.'
    throw new Problem('conflict', { message, fields: { name: message } })
  }
}
