import type { PendingWrite } from './pending-write.ts'

const textFields = ['content', 'body', 'message', 'belief', 'entry', 'title', 'name', 'label', 'note', 'purpose']

export function getWriteText(body: unknown): string {
  if (typeof body === 'string') return body
  if (typeof body !== 'object' || body === null) return ''
  const fields = body as Record<string, unknown>
  return textFields
    .map((field) => fields[field])
    .filter((value): value is string => typeof value === 'string' && value.trim() !== '')
    .join('\n\n')
}

export function getWriteTitle({ what: kind, endpoint, mime }: PendingWrite): string {
  if (mime !== undefined) return kind
  const name = kind.charAt(0).toLowerCase() + kind.slice(1)
  if (endpoint.creates) return `New ${name}`
  return endpoint.method === 'DELETE' ? `Deleted ${name}` : `Changed ${name}`
}
