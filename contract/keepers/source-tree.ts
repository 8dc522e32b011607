interface TreeMessage {
  id: string
  parentId: string | null
}

/**
 * Removes messages; the children of a removed one are attached to its nearest remaining ancestor. Messages in cycles or
 * with unknown parents become roots.
 * @returns the remaining messages in order, and a function that finds the nearest remaining message of an id
 */
export function selectMessages<Message extends TreeMessage>(
  messages: readonly Message[],
  isSelected: (message: Message) => boolean,
): { selected: Message[]; findNearest(id: string | null): string | null } {
  const byId = new Map(messages.map((message) => [message.id, message]))
  const cycleStarts = findCycleStarts(byId)
  const getParentId = ({ id, parentId }: Message) => (cycleStarts.has(id) ? null : parentId)
  const nearest = new Map<string, string | null>()
  const findNearest = (id: string | null): string | null => {
    const visited = new Set<string>()
    let currentId = id
    let result: string | null = null
    while (currentId !== null) {
      const message = byId.get(currentId)
      const cached = nearest.get(currentId)
      if (cached !== undefined || !message || visited.has(currentId)) {
        result = cached ?? null
        break
      }
      if (isSelected(message)) {
        result = currentId
        break
      }
      visited.add(currentId)
      currentId = getParentId(message)
    }
    for (const visitedId of visited) nearest.set(visitedId, result)
    return result
  }
  const selected = messages
    .filter(isSelected)
    .map((message) => ({ ...message, parentId: findNearest(getParentId(message)) }))
  return { selected, findNearest }
}

/** Finds one message of each cycle. */
function findCycleStarts(byId: ReadonlyMap<string, TreeMessage>): Set<string> {
  const starts = new Set<string>()
  const finished = new Set<string>()
  for (const id of byId.keys()) {
    const path = new Set<string>()
    let currentId: string | null = id
    while (currentId !== null && byId.has(currentId) && !finished.has(currentId)) {
      if (path.has(currentId)) {
        starts.add(currentId)
        break
      }
      path.add(currentId)
      currentId = byId.get(currentId)?.parentId ?? null
    }
    for (const visitedId of path) finished.add(visitedId)
  }
  return starts
}

/** Messages from the first one to `leafId`. */
export function listBranch<Message extends TreeMessage>(
  messages: readonly Message[],
  leafId: string | null,
): Message[] {
  const byId = new Map(messages.map((message) => [message.id, message]))
  const branch: Message[] = []
  for (let message = byId.get(leafId ?? ''); message; message = byId.get(message.parentId ?? '')) {
    branch.push(message)
    // Ends the loop if the messages form a cycle.
    byId.delete(message.id)
  }
  return branch.reverse()
}

/** The newest leaf below `id`. */
export function findLeaf(messages: readonly TreeMessage[], id: string): string {
  const lastChild = new Map(messages.map((message) => [message.parentId, message.id]))
  const visited = new Set<string>()
  let leaf = id
  for (let next: string | undefined = id; next !== undefined && !visited.has(next); next = lastChild.get(next)) {
    visited.add(next)
    leaf = next
  }
  return leaf
}
