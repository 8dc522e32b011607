import type { AgentSnapshot, FieldChange } from './versions.ts'

export function changesBetween(before: AgentSnapshot, after: AgentSnapshot): FieldChange[] {
  return (Object.keys(after) as (keyof AgentSnapshot)[]).flatMap((name) => {
    const [was, is] = [leaves(name, before[name]), leaves(name, after[name])]
    return [...new Set([...was.keys(), ...is.keys()])]
      .filter((field) => JSON.stringify(was.get(field)) !== JSON.stringify(is.get(field)))
      .map((field) => ({
        field,
        ...(was.has(field) && { before: was.get(field) }),
        ...(is.has(field) && { after: is.get(field) }),
      }))
  })
}

function leaves(path: string, value: unknown): Map<string, unknown> {
  if (value === undefined) return new Map()
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return new Map([[path, value]])
  return new Map(Object.entries(value).flatMap(([name, inner]) => [...leaves(`${path}.${name}`, inner)]))
}
