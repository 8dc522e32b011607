import type { ConflictField } from './conflict-dialog.tsx'
import { asWritten, type PendingWrite } from './pending-write.ts'

export const asText = (value: unknown): string => {
  if (value === undefined || value === null) return ''
  if (typeof value === 'string') return value
  if (Array.isArray(value)) return value.map(asText).join(', ')
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  if (typeof value === 'object') {
    const named = value as { name?: unknown; label?: unknown }
    return asText(named.name ?? named.label ?? JSON.stringify(value))
  }
  return String(value)
}

/** 'aiVisible' → 'Ai visible'. */
export const asLabel = (name: string): string => {
  const words = name.replace(/([A-Z])/g, (letter) => ` ${letter.toLowerCase()}`)
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** What a held write says, beside what is saved now; texts can be written together, anything else is chosen. */
export function conflictFields({ body = {}, current = {} }: PendingWrite): ConflictField[] {
  return Object.entries(body)
    .filter(([name]) => name !== 'keeperId')
    .map(([name, value]) => ({
      name,
      label: asLabel(name),
      yours: asText(value),
      current: asText(asWritten(current, name)),
      ...(typeof value !== 'string' && { choiceOnly: true }),
    }))
}

/** What is sent after the person decided: nothing for a field that stays as it is saved now. */
export function resolvedBody(write: PendingWrite, values: Record<string, string>): Record<string, unknown> {
  const body: Record<string, unknown> = {}
  for (const { name, yours, current } of conflictFields(write)) {
    const chosen = values[name] ?? yours
    if (chosen === current && yours !== current) continue
    body[name] = chosen === yours ? write.body?.[name] : chosen
  }
  return body
}
