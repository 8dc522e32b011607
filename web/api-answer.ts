/**
 * Whether the rows of a list can be shown: neither nothing nor something empty stands among them. Agents whose rights are
 * not said have none, so that pages show what is said of them.
 */
export function hasUsableRows(answer: unknown): boolean {
  const data = isRecord(answer) && 'data' in answer ? answer.data : answer
  const lists = [data, ...(isRecord(data) ? Object.values(data) : [])].filter(Array.isArray)
  for (const row of [data, ...lists.flat()]) if (isRecord(row) && 'agent_class' in row) row.may ??= {}
  return lists.flat().every((row) => row !== null && (!isRecord(row) || Object.keys(row).length > 0))
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
