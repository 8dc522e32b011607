const maxTopics = 12

export function findRelatedTopics<T extends { id: string; name: string }>(
  links: readonly { topic_id: string }[],
  topics: readonly T[],
): (T & { count: number })[] {
  const counts = new Map<string, number>()
  for (const { topic_id } of links) counts.set(topic_id, (counts.get(topic_id) ?? 0) + 1)
  return topics
    .flatMap((topic) => {
      const count = counts.get(topic.id)
      return count ? [{ ...topic, count }] : []
    })
    .toSorted((a, b) => b.count - a.count || a.name.localeCompare(b.name, 'en'))
    .slice(0, maxTopics)
}
