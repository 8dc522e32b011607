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
    const passed = new Set<string>()
    let at = id
    let result: string | null = null
    while (at !== null) {
      const message = byId.get(at)
      const cached = nearest.get(at)
      if (cached !== undefined || !message || passed.has(at)) {
        result = cached ?? null
        break
      }
      if (isSelected(message)) {
        result = at
        break
      }
      passed.add(at)
      at = getParentId(message)
    }
    for (const passedId of passed) nearest.set(passedId, result)
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
    let at: string | null = id
    while (at !== null && byId.has(at) && !finished.has(at)) {
      if (path.has(at)) {
        starts.add(at)
        break
      }
      path.add(at)
      at = byId.get(at)?.parentId ?? null
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
  for (let index = leafId === null ? undefined : byId.get(leafId); index; index = byId.get(index.parentId ?? '')) {
    branch.push(index)
    byId.delete(index.id)
  }
  return branch.reverse()
}

/** The newest leaf below `id`. */
export function findLeaf(messages: readonly TreeMessage[], id: string): string {
  const lastChild = new Map(messages.map((message) => [message.parentId, message.id]))
  const passed = new Set<string>()
  let leaf = id
  for (let next: string | undefined = id; next !== undefined && !passed.has(next); next = lastChild.get(next)) {
    passed.add(next)
    leaf = next
  }
  return leaf
}
