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

export const asLabel = (name: string): string => {
  const words = name.replace(/([A-Z])/g, (letter) => ` ${letter.toLowerCase()}`)
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** Texts can be merged; other fields are chosen. */
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

/** Omits fields where the saved value stays. */
export function resolvedBody(write: PendingWrite, values: Record<string, string>): Record<string, unknown> {
  const body: Record<string, unknown> = {}
  for (const { name, yours, current } of conflictFields(write)) {
    const chosen = values[name] ?? yours
    if (chosen === current && yours !== current) continue
    body[name] = chosen === yours ? write.body?.[name] : chosen
  }
  return body
}
