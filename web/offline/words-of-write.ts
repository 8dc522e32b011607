import type { PendingWrite } from './pending-write.ts'

const fieldsWithWords = ['content', 'body', 'message', 'belief', 'entry', 'title', 'name', 'label', 'note', 'purpose']

/** All text fields, to read or copy. */
export function wordsOf(body: unknown): string {
  if (typeof body === 'string') return body
  if (typeof body !== 'object' || body === null) return ''
  const given = body as Record<string, unknown>
  return fieldsWithWords
    .map((field) => given[field])
    .filter((value): value is string => typeof value === 'string' && value.trim() !== '')
    .join('\n\n')
}

export function titleOf({ what, endpoint, mime }: PendingWrite): string {
  if (mime !== undefined) return what
  const name = what.charAt(0).toLowerCase() + what.slice(1)
  if (endpoint.creates) return `New ${name}`
  return endpoint.method === 'DELETE' ? `Deleted ${name}` : `Changed ${name}`
}
