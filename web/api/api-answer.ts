/** Gives agents without rights in the answer an empty list, so that pages can show the rest of them. */
export function hasUsableRows(answer: unknown): boolean {
  const data = isRecord(answer) && 'data' in answer ? answer.data : answer
  const lists = [data, ...(isRecord(data) ? Object.values(data) : [])].filter(Array.isArray)
  for (const row of [data, ...lists.flat()]) if (isRecord(row) && 'agent_class' in row) row.may ??= {}
  return lists.flat().every((row) => row !== null && (!isRecord(row) || Object.keys(row).length > 0))
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
