import type { AgentField } from '../form/agent-form-values.ts'
import { fieldNames } from '../form/check-agent-form.ts'

const otherLabels: Record<string, string> = {
  status: 'Status',
  model_provider: 'Provider',
  visitors_spend_owner_key: 'Visitors use the owner’s key',
  visitor_daily_usd: 'Visitors’ daily limit',
  voice_id: 'Voice',
  voice_name: 'Voice name',
  fallback_model: 'Fallback model',
}

export function getFieldLabel(field: string): string {
  const lastSegment = field.split('.').at(-1) ?? field
  return fieldNames[lastSegment as AgentField] ?? otherLabels[lastSegment] ?? field.replace(/^config\./, '')
}

export function formatValue(value: unknown): string {
  if (value === undefined || value === null || value === '') return '–'
  if (typeof value === 'boolean') return value ? 'on' : 'off'
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.map(formatValue).join(', ')
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
