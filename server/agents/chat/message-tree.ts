export interface TreeMessage {
  id: string
  parent_id: string | null
  position: number
}

export function getPathTo<Message extends TreeMessage>(messages: Message[], lastId: string | null): Message[] {
  const messageById = new Map(messages.map((message) => [message.id, message]))
  const path: Message[] = []
  for (let current = messageById.get(lastId ?? ''); current; current = messageById.get(current.parent_id ?? ''))
    path.push(current)
  return path.reverse()
}

export function findNewestLeaf(messages: TreeMessage[], id: string): string {
  const descendantIds = new Set([id])
  let newestId = id
  for (const message of messages.toSorted((a, b) => a.position - b.position)) {
    if (!descendantIds.has(message.parent_id ?? '')) continue
    descendantIds.add(message.id)
    newestId = message.id
  }
  return newestId
}

export function createBranchLookup(messages: TreeMessage[]): (message: TreeMessage) => string[] {
  const idsByParent = new Map<string | null, string[]>()
  for (const { id, parent_id } of messages.toSorted((a, b) => a.position - b.position))
    idsByParent.set(parent_id, [...(idsByParent.get(parent_id) ?? []), id])
  return ({ id, parent_id }) => idsByParent.get(parent_id) ?? [id]
}
