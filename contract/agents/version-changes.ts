import type { AgentSnapshot, FieldChange } from './versions.ts'

export function diffSnapshots(previous: AgentSnapshot, next: AgentSnapshot): FieldChange[] {
  return (Object.keys(next) as (keyof AgentSnapshot)[]).flatMap((name) => {
    const [oldValues, newValues] = [flattenFields(name, previous[name]), flattenFields(name, next[name])]
    return [...new Set([...oldValues.keys(), ...newValues.keys()])]
      .filter((field) => JSON.stringify(oldValues.get(field)) !== JSON.stringify(newValues.get(field)))
      .map((field) => ({
        field,
        ...(oldValues.has(field) && { before: oldValues.get(field) }),
        ...(newValues.has(field) && { after: newValues.get(field) }),
      }))
  })
}

function flattenFields(path: string, value: unknown): Map<string, unknown> {
  if (value === undefined) return new Map()
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return new Map([[path, value]])
  return new Map(Object.entries(value).flatMap(([name, inner]) => [...flattenFields(`${path}.${name}`, inner)]))
}
