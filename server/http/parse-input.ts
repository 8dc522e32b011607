import type * as z from 'zod/mini'
import type { Endpoint } from '#contract/endpoint.ts'
import { Problem } from './problem.ts'

interface RawInput {
  params: Record<string, string>
  query: Record<string, string>
  body: unknown
}

// biome-ignore lint/suspicious/noExplicitAny: the endpoint's own schemas decide the types; the router is generic over all of them
type Parsed = { params: any; query: any; body: any }

/** Fields named in one refusal; who mends these hears of the others next time. */
const maxIssues = 50

/** Parses once, at the door. Unknown keys are dropped; what is wrong is named field by field. */
export function parseInput(endpoint: Endpoint, raw: RawInput): Parsed {
  const fields: Record<string, string> = {}
  const parse = (schema: z.ZodMiniType | undefined, value: unknown): unknown => {
    if (!schema) return {}
    // Else an issue does not say whether something was sent at all.
    const result = schema.safeParse(value, { reportInput: true })
    if (result.success) return result.data
    for (const issue of result.error.issues) {
      if (Object.keys(fields).length >= maxIssues) break
      const name = issue.path.join('.') || 'body'
      fields[name] ??= sentence(issue)
    }
    return {}
  }
  const input = {
    params: parse(endpoint.params, raw.params),
    query: parse(endpoint.query, raw.query),
    body: parse(endpoint.body, raw.body),
  }
  const wrong = Object.entries(fields)
  if (wrong.length === 0) return input
  throw new Problem('bad-input', { message: inWords(wrong), fields })
}

/** What names its fields itself, as `Both label and belief are required` does, is said once and as it is. */
function inWords(wrong: [name: string, text: string][]): string {
  const texts = new Set(wrong.map(([, text]) => text))
  const [only = ''] = texts
  const namesAll = wrong.every(([name]) => only.toLowerCase().includes(name.toLowerCase()))
  if (texts.size === 1 && namesAll) return only
  return wrong.map(([name, text]) => `${name}: ${/[.!?]$/.test(text) ? text : `${text}.`}`).join(' ')
}

const typeNames: Partial<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
}

/** What the library says by itself, where another library has given it words or not. */
const ownWords = /^(Invalid (input|option|string)|Too (big|small): expected|Unrecognized key)/

/** What a longest length counts. */
const counted: Partial<Record<string, string>> = { string: ' characters', array: '' }

function sentence(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_type' && issue.input === undefined) return 'This is needed.'
  if (issue.message && !ownWords.test(issue.message)) return issue.message
  if (issue.code === 'invalid_type') return `Send ${typeNames[issue.expected] ?? issue.expected}.`
  if (issue.code === 'invalid_value') return `Send one of: ${issue.values.join(', ')}.`
  if (issue.code === 'too_big' && issue.origin in counted) {
    return `Use at most ${issue.maximum.toLocaleString('en-US')}${counted[issue.origin]}.`
  }
  return 'This cannot be used.'
}
