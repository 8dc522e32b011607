import { foldedTopic } from '#contract/keepers/topics.ts'
import type { Write } from '#server/db/database.ts'
import { UniqueViolation } from '#server/db/database-errors.ts'
import { Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { findTopics } from './link-topics.ts'

export interface Names {
  name: string
  /** Each once, and none of them the name itself. */
  aliases: string[]
}

/** The names a topic goes by, tidied; `formerly` is kept as an alias when the name is another now. */
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
 * Names and aliases are one to a keeper: no two topics answer to the same word. Those a topic has already are not looked
 * at again: while it lay in the bin another may have got one, and it must still be possible to change the rest.
 * @throws Problem 409 that names the field and the topic that has the word
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
        ? `There is a topic “${other.name}” already. Choose another name, or merge the two.`
        : `“${said}” is another name of the topic “${other.name}”. Choose another one, or merge the two.`
    throw new Problem('conflict', { message, fields: { [said === name ? 'name' : 'aliases']: message } })
  }
}

export async function aliasesOf({ db }: Services, topicId: string): Promise<string[]> {
  const rows = await db.selectFrom('topic_aliases').select('alias').where('topic_id', '=', topicId).execute()
  return rows.map(({ alias }) => alias)
}

/** The writes that make these the aliases of a topic. Those of topics in the bin give way. */
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

/** Somebody may take a name between the look and the write: the database refuses, and this says it in words. */
export async function tellTakenName<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write()
  } catch (error) {
    if (!(error instanceof UniqueViolation)) throw error
    const message = 'Another topic took this name a moment ago. Choose another one, or merge the two.'
    throw new Problem('conflict', { message, fields: { name: message } })
  }
}
