import type { ChatApi } from './chat-api.ts'
import type { ProviderError } from './provider-error.ts'
import { groupedFields, type Quirks } from './quirks.ts'

export interface Refusal {
  status: number
  error: ProviderError
  body: Record<string, unknown>
  api: ChatApi
  hasResponsesApi: boolean
  hasSystem: boolean
  toolNames: readonly string[]
}

export interface Lesson {
  quirks: Quirks
  withoutTool?: string
  note: string
}

const badRequestStatuses = [400, 404, 405, 422]
const essentialFields = new Set([
  'model',
  'messages',
  'input',
  'contents',
  'system',
  'instructions',
  'systemInstruction',
  'tools',
  'stream',
  'store',
])

/** Undefined if a retry would not help. */
export function learnFromRefusal(refusal: Refusal, quirks: Quirks): Lesson | undefined {
  const { status, error, body, api, hasResponsesApi, hasSystem } = refusal
  if (!badRequestStatuses.includes(status)) return undefined
  const { message, param } = error
  const isUnknownPath = status === 404 || status === 405
  const usesResponsesApi = api.id === 'responses' && quirks.api === 'responses'
  if (usesResponsesApi && isUnknownPath && !/\bmodel\b/i.test(message))
    return {
      quirks: { ...quirks, api: 'chat-completions', added: new Map([...quirks.added, ['reasoning_effort', 'none']]) },
      note: 'This address has no Responses API, so thinking was turned off to use tools.',
    }
  if (isUnknownPath) return undefined
  if (isAboutToolsAndThinking(message)) {
    if (hasResponsesApi && api.id !== 'responses' && quirks.api === undefined)
      return {
        quirks: { ...quirks, api: 'responses' },
        note: 'This model supports tools only through the Responses API.',
      }
    if (quirks.added.get('reasoning_effort') !== 'none' && api.id === 'chat-completions')
      return {
        quirks: { ...quirks, added: new Map([...quirks.added, ['reasoning_effort', 'none']]) },
        note: 'This model supports tools only without thinking, so thinking was turned off.',
      }
  }
  const maxTokens = findTokenLimit(message, body)
  if (maxTokens !== undefined && (quirks.maxTokens === undefined || maxTokens < quirks.maxTokens))
    return {
      quirks: { ...quirks, maxTokens },
      note: `This model writes at most ${maxTokens.toLocaleString('en-US')} tokens, so max tokens was lowered to that.`,
    }
  const toolByPosition = findToolByPosition(refusal)
  const field = toolByPosition === undefined ? findRefusedField(body, { message, param }) : undefined
  if (field !== undefined) return learnField(field, message, quirks)
  const toolName = toolByPosition ?? findToolByName(refusal)
  if (toolName !== undefined)
    return {
      quirks,
      withoutTool: toolName,
      note: `The provider rejected the schema of the tool ${toolName}, so the agent ran without it.`,
    }
  if (hasSystem && !quirks.hasNoSystemRole && isAboutSystemRole(message, param))
    return {
      quirks: { ...quirks, hasNoSystemRole: true },
      note: 'This model has no system role, so the purpose was added to the first message.',
    }
  return undefined
}

const limitFields = ['max_tokens', 'max_completion_tokens', 'max_output_tokens', 'generationConfig.maxOutputTokens']

function findTokenLimit(message: string, body: Record<string, unknown>): number | undefined {
  const config = body.generationConfig as Record<string, unknown> | undefined
  const sentLimit = Number(
    body.max_tokens ?? body.max_completion_tokens ?? body.max_output_tokens ?? config?.maxOutputTokens,
  )
  if (!Number.isFinite(sentLimit) || !limitFields.some((field) => mentionsField(message, getBareName(field))))
    return undefined
  if (!/at most|maximum|less than or equal|<=|exceeds?|too (?:large|high)|>/i.test(message)) return undefined
  const numbers = [...message.matchAll(/\d{3,7}/g)]
    .map(([digits]) => Number(digits))
    .filter((number) => number < sentLimit)
  return numbers.length === 0 ? undefined : Math.max(...numbers)
}

const windowPatterns = [
  /context[ _](?:length|window|size)\b[^\d.]{0,40}?(\d[\d,_]{0,11})/i,
  /(?<![\d,_])(\d[\d,_]{0,11})(?: tokens?)? (?:is the )?maximum/i,
  /maximum (?:number of )?(?:input )?tokens\b[^\d.]{0,40}?(\d[\d,_]{0,11})/i,
  /(?:prompt|model) length\b[^\d.]{0,40}?(\d[\d,_]{0,11})/i,
  /(?:token limit|token[^\n]{0,60}? limit of|input length should be \[1,)[^\d.]{0,40}?(\d[\d,_]{0,11})/i,
  /(?:<=?|>) ?(\d[\d,_]{0,11})/,
]
const minWindow = 256
const maxWindow = 100_000_000

export function findWindow(message: string): number | undefined {
  for (const pattern of windowPatterns) {
    const window = Number(pattern.exec(message)?.[1]?.replaceAll(/[,_]/g, ''))
    if (window >= minWindow && window <= maxWindow) return window
  }
  return undefined
}

const newTokenLimit = 'max_completion_tokens'

function learnField(field: string, message: string, quirks: Quirks): Lesson {
  if (field === 'max_tokens' && !quirks.renamed.has(field) && mentionsField(message, newTokenLimit))
    return {
      quirks: { ...quirks, renamed: new Map([...quirks.renamed, [field, newTokenLimit]]) },
      note: `This model doesn’t accept ${field}; ${newTokenLimit} was sent instead.`,
    }
  return {
    quirks: { ...quirks, omitted: new Set([...quirks.omitted, field]) },
    note: `This model doesn’t accept ${getBareName(field)}, so it was left out.`,
  }
}

function findRefusedField(
  body: Record<string, unknown>,
  { message, param }: { message: string; param: string },
): string | undefined {
  const fields = listFields(body)
  const findMentionedField = (text: string) =>
    fields
      .filter((field) => mentionsField(text, field) || mentionsField(text, getBareName(field)))
      .toSorted((a, b) => b.length - a.length)[0]
  const fieldFromParam = param === '' ? undefined : findMentionedField(param)
  if (fieldFromParam !== undefined) return fieldFromParam
  return isAboutAField(message) ? findMentionedField(message) : undefined
}

/** Messages that name a field for another reason, such as an exceeded limit, don't count. */
function isAboutAField(message: string): boolean {
  return /\bnot (?:an? )?(?:argument|supported|allowed|permitted|accepted|valid|recognized|available|taken)|\bun(?:supported|recognized|known|expected)|\bcannot be (?:set|used|specified|both)|\bcan(?:no|')t be|\bdoes(?: not|n't) (?:support|accept|take|allow)|\bno longer\b|\bdeprecated\b|\bextra (?:inputs|fields?)|\bmust (?:be (?:omitted|unset|1\b)|not be)|\bonly (?:the )?default\b|\bonly 1\b|\buse \S*max_completion_tokens|\binvalid (?:argument|parameter|field)/i.test(
    message,
  )
}

function listFields(body: Record<string, unknown>): string[] {
  return Object.entries(body).flatMap(([name, value]) => {
    if (essentialFields.has(name)) return []
    const innerFields = groupedFields.has(name) ? Object.keys(value as object).map((field) => `${name}.${field}`) : []
    return name === 'generationConfig' ? innerFields : [name, ...innerFields]
  })
}

function getBareName(field: string): string {
  return field.replace(/^.*\./, '')
}

function mentionsField(text: string, field: string): boolean {
  const parts = field
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[_.]/)
  const pattern = parts.map((word) => word.replace(/[^a-z0-9]/g, '')).join('[_ .-]?')
  return new RegExp(`(?<![A-Za-z0-9])${pattern}(?![A-Za-z0-9])(?!_)`, 'i').test(text)
}

function isAboutToolsAndThinking(message: string): boolean {
  return /function tools with reasoning_effort|tools?\b.{0,80}\breasoning_effort|reasoning_effort.{0,80}\btools?\b/i.test(
    message,
  )
}

function isAboutSystemRole(message: string, param: string): boolean {
  const rolePattern =
    /\b(?:system|developer)\b.{0,40}\b(?:role|message|prompt|instruction)s?\b|\brole\b.{0,40}\b(?:system|developer)\b/i
  const refusalPattern =
    /\bno system\b|\bnot (?:supported|allowed|accepted|enabled|available)|\bdoes(?: not|n't) (?:support|have|accept)|\bun(?:supported|known|expected)|\binvalid\b|\bonly (?:user|support)/i
  return (
    (rolePattern.test(message) && refusalPattern.test(message)) ||
    /\bsystem_?instruction\b|developer instruction/i.test(message) ||
    /role$/.test(param)
  )
}

function findToolByPosition({ error: { message, param }, toolNames }: Refusal): string | undefined {
  const position = /\b(?:tools\[0\]\.)?(?:tools|functions|function_declarations)(?:\[|\.)(\d+)/.exec(
    `${param} ${message}`,
  )?.[1]
  return position === undefined ? undefined : toolNames[Number(position)]
}

function findToolByName({ error: { message }, toolNames }: Refusal): string | undefined {
  if (!/schema|function|tool|parameters/i.test(message)) return undefined
  const isQuoted = (name: string) => ['"', "'", '`'].some((quote) => message.includes(quote + name + quote))
  return toolNames.toSorted((a, b) => b.length - a.length).find(isQuoted)
}
