export interface TreeMessage {
  id: string
  parent_id: string | null
  position: number
}

export function getPathTo<Message extends TreeMessage>(messages: Message[], lastId: string | null): Message[] {
  const byId = new Map(messages.map((message) => [message.id, message]))
  const path: Message[] = []
  for (let at = byId.get(lastId ?? ''); at; at = byId.get(at.parent_id ?? '')) path.push(at)
  return path.reverse()
}

export function findNewestLeaf(messages: TreeMessage[], id: string): string {
  const below = new Set([id])
  let newest = id
  for (const message of messages.toSorted((a, b) => a.position - b.position)) {
    if (!below.has(message.parent_id ?? '')) continue
    below.add(message.id)
    newest = message.id
  }
  return newest
}

export function createBranchLookup(messages: TreeMessage[]): (message: TreeMessage) => string[] {
  const byParent = new Map<string | null, string[]>()
  for (const { id, parent_id } of messages.toSorted((a, b) => a.position - b.position))
    byParent.set(parent_id, [...(byParent.get(parent_id) ?? []), id])
  return ({ id, parent_id }) => byParent.get(parent_id) ?? [id]
}
