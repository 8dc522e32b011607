import type * as z from 'zod/mini'
import type { Endpoint } from '#contract/endpoint.ts'
import { Problem } from './problem.ts'

interface RawInput {
  params: Record<string, string>
  query: Record<string, string>
  body: unknown
}

// biome-ignore lint/suspicious/noExplicitAny: the endpoint's own schemas decide the types; the router is generic over all of them
type ParsedInput = { params: any; query: any; body: any }

const maxIssues = 50

export function parseInput(endpoint: Endpoint, raw: RawInput): ParsedInput {
  const fields: Record<string, string> = {}
  const parse = (schema: z.ZodMiniType | undefined, value: unknown): unknown => {
    if (!schema) return {}
    const result = schema.safeParse(value, { reportInput: true })
    if (result.success) return result.data
    for (const issue of result.error.issues) {
      if (Object.keys(fields).length >= maxIssues) break
      const name = issue.path.join('.') || 'body'
      fields[name] ??= formatIssue(issue)
    }
    return {}
  }
  const input = {
    params: parse(endpoint.params, raw.params),
    query: parse(endpoint.query, raw.query),
    body: parse(endpoint.body, raw.body),
  }
  const fieldErrors = Object.entries(fields)
  if (fieldErrors.length === 0) return input
  throw new Problem('bad-input', { message: formatFieldErrors(fieldErrors), fields })
}

function formatFieldErrors(fieldErrors: [name: string, text: string][]): string {
  const texts = new Set(fieldErrors.map(([, text]) => text))
  const [onlyText = ''] = texts
  const namesEveryField = fieldErrors.every(([name]) => onlyText.toLowerCase().includes(name.toLowerCase()))
  if (texts.size === 1 && namesEveryField) return onlyText
  return fieldErrors.map(([name, text]) => `${name}: ${/[.!?]$/.test(text) ? text : `${text}.`}`).join(' ')
}

const typeNames: Partial<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
}

const libraryMessage = /^(Invalid (input|option|string)|Too (big|small): expected|Unrecognized key)/

const lengthUnits: Partial<Record<string, string>> = { string: ' characters', array: '' }

function formatIssue(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_type' && issue.input === undefined) return 'This field is required.'
  if (issue.message && !libraryMessage.test(issue.message)) return issue.message
  if (issue.code === 'invalid_type') return `Send ${typeNames[issue.expected] ?? issue.expected}.`
  if (issue.code === 'invalid_value') return `Send one of: ${issue.values.join(', ')}.`
  if (issue.code === 'too_big' && issue.origin in lengthUnits) {
    return `Use at most ${issue.maximum.toLocaleString('en-US')}${lengthUnits[issue.origin]}.`
  }
  return 'This value can’t be used.'
}
