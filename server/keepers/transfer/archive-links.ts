import { getEntryPath } from '#contract/keepers/entry-address.ts'
import { type ArchivedEntity, archivedEntities } from './archive-columns.ts'
import { decodeName } from './importers/foreign-values.ts'

/** Paths of this site only; links with a host before the path stay as they are. */
const entryPath =
  /(?<![\w.:/-])\/keeper\/([\w-]{1,200})\/([a-z-]{1,40}\?(?:[a-z]{1,20}=[a-z]{1,20}&)?[a-z]{1,20}=)([\w.~%-]{0,599}[\w~%-])/g

const entityBySection = new Map(
  archivedEntities.map((entity) => [getEntryPath({ entity, keeperId: '', id: '' }).slice('/keeper//'.length), entity]),
)

/** Stands for the id of the keeper, so that every copy has the same text. */
export const archivedKeeperId = 'this'

/** Replaces the ids in links between entries of a keeper. A link without a new id stays as it is. */
export function replaceLinkIds(
  text: string,
  fromKeeperIds: readonly string[],
  toKeeperId: string,
  findId: (entity: ArchivedEntity, id: string) => string | undefined,
): string {
  if (!text.includes('/keeper/')) return text
  return text.replace(entryPath, (path, keeperId: string, section: string, entryId: string) => {
    const entity = fromKeeperIds.includes(keeperId) ? entityBySection.get(section) : undefined
    const id = entity && findId(entity, decodeName(entryId))
    if (id === undefined) return path
    // Markdown ends a link at a parenthesis.
    const encodedId = encodeURIComponent(id).replace(/[!'()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16)}`)
    return `/keeper/${toKeeperId}/${section}${encodedId}`
  })
}
