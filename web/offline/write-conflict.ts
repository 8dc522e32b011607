import type { ConflictField } from './conflict-dialog.tsx'
import { getWrittenValue, type PendingWrite } from './pending-write.ts'

export const toText = (value: unknown): string => {
  if (value === undefined || value === null) return ''
  if (typeof value === 'string') return value
  if (Array.isArray(value)) return value.map(toText).join(', ')
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  if (typeof value === 'object') {
    const named = value as { name?: unknown; label?: unknown }
    return toText(named.name ?? named.label ?? JSON.stringify(value))
  }
  return String(value)
}

export const toLabel = (name: string): string => {
  const text = name.replace(/([A-Z])/g, (capital) => ` ${capital.toLowerCase()}`)
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** Texts can be merged; other fields are chosen. */
export function getConflictFields({ body = {}, current = {} }: PendingWrite): ConflictField[] {
  return Object.entries(body)
    .filter(([name]) => name !== 'keeperId')
    .map(([name, value]) => ({
      name,
      label: toLabel(name),
      yours: toText(value),
      current: toText(getWrittenValue(current, name)),
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
