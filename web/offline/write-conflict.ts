import type { ConflictField } from './conflict-dialog.tsx'
import { getWrittenValue, type PendingWrite } from './pending-write.ts'

export const formatWriteValue = (value: unknown): string => {
  if (value === undefined || value === null) return ''
  if (typeof value === 'string') return value
  if (Array.isArray(value)) return value.map(formatWriteValue).join(', ')
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  if (typeof value === 'object') {
    const namedValue = value as { name?: unknown; label?: unknown }
    return formatWriteValue(namedValue.name ?? namedValue.label ?? JSON.stringify(value))
  }
  return String(value)
}

export const formatWriteFieldLabel = (name: string): string => {
  const text = name.replace(/([A-Z])/g, (capital) => ` ${capital.toLowerCase()}`)
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** Texts can be merged; other fields are chosen. */
export function getConflictFields({ body = {}, current = {} }: PendingWrite): ConflictField[] {
  return Object.entries(body)
    .filter(([name]) => name !== 'keeperId')
    .map(([name, value]) => ({
      name,
      label: formatWriteFieldLabel(name),
      yours: formatWriteValue(value),
      current: formatWriteValue(getWrittenValue(current, name)),
      ...(typeof value !== 'string' && { choiceOnly: true }),
    }))
}

export function buildResolvedBody(write: PendingWrite, values: Record<string, string>): Record<string, unknown> {
  const body: Record<string, unknown> = {}
  for (const { name, yours, current } of getConflictFields(write)) {
    const chosen = values[name] ?? yours
    if (chosen === current && yours !== current) continue
    body[name] = chosen === yours ? write.body?.[name] : chosen
  }
  return body
}
