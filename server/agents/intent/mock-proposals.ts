import type { AgentProposal, KeeperTypeProposal } from '#contract/agents/intent.ts'
import type { BuiltInTool } from '#contract/agents/tools.ts'
import { trimEndMatching } from '#contract/linear-text.ts'
import { truncate } from '#contract/truncate.ts'

const leadPattern = /\b(chat|chats|talk|talks|visitors?|customers?|public)\b/i
const toolPatterns: [RegExp, BuiltInTool[]][] = [
  [/\b(memory|memories|remember|cards?|keepers?)\b/i, ['search_memory']],
  [/\b(moments?|days?|daily|weeks?|weekly|diary|journal)\b/i, ['list_moments']],
  [/\b(reflect|reflects|reflections?)\b/i, ['write_reflection']],
  [/\b(logbook|log)\b/i, ['add_logbook_entry']],
  [/\b(remind|reminds|reminders?|echo|echoes)\b/i, ['schedule_echo']],
  [/\b(web|website|page|fetch|url|links?)\b/i, ['http_fetch']],
]
const fillerPattern =
  /^(?:please\s+|i(?:'d| would)? (?:want|need|like)\s+(?:to have\s+)?|(?:can|could) you\s+|make(?: me)?\s+|create(?: me)?\s+|build(?: me)?\s+|give me\s+|propose\s+)*(?:an?\s+|the\s+|some\s+)?(?:(?:\w+\s+)?agents?\s+)?(?:(?:that|which|who|to|for|of)\s+)?/i
const stopWords = new Set(
  'a an and at by for from in into my of on or our out that the their them then to up what which who with your'.split(
    ' ',
  ),
)

export function createMockProposal(input: string): AgentProposal | undefined {
  const request = input.replace(/\s+/g, ' ').trim()
  if (request.endsWith('?')) return undefined
  const tools = toolPatterns.flatMap(([pattern, names]) => (pattern.test(request) ? names : []))
  const isLead = leadPattern.test(request)
  return {
    name: deriveName(request.replace(fillerPattern, ''), 'New Agent'),
    purpose: `${toSentence(request.replace(fillerPattern, ''))} Say plainly what you do not know.`,
    agent_class: isLead ? 'Lead' : 'Standard',
    context_scope: tools.some((name) => name !== 'http_fetch') ? 'keeper' : 'user_input',
    memory_enabled: isLead,
    tools,
  }
}

const memoryPatternRules: [RegExp, KeeperTypeProposal['memoryPattern'], string][] = [
  [/\b(track|tracks|count|counts|habits?|spend|spent|expenses|weight|measure)\b/i, 'tracker', 'it tracks numbers'],
  [/\b(days?|daily|diary|journal|weeks?|weekly|every|visits?|trips?)\b/i, 'journal', 'it goes day by day'],
  [/\b(places?|rooms?|house|garden|maps?|where)\b/i, 'palace', 'it is about places'],
]

const keepPhrasePattern = /^i(?:'d| would)? (?:want|like|need) to keep (?:track of )?|^(?:keeping|keep)\s+/i

export function createMockKeeperType(input: string): KeeperTypeProposal {
  const request = input.replace(/\s+/g, ' ').trim()
  const [, memoryPattern, reason] = memoryPatternRules.find(([pattern]) => pattern.test(request)) ?? [
    undefined,
    'sole' as const,
    'it reads like one story',
  ]
  const subject = request.replace(keepPhrasePattern, '')
  return {
    name: deriveName(subject, 'New Keeper Type'),
    purpose: truncate(toSentence(request), 1000),
    memoryPattern,
    reason: `Chosen by a mock from keywords alone: ${reason}.`,
  }
}

function deriveName(text: string, fallback: string): string {
  const tokens = text.match(/[\p{L}\p{N}]+/gu) ?? []
  const significantWords = tokens.filter((word) => !stopWords.has(word.toLowerCase())).slice(0, 3)
  const name = significantWords.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join(' ')
  return truncate(name, 80) || fallback
}

function toSentence(text: string): string {
  const trimmed = truncate(text.trim() || 'Helps', 4000)
  return `${trimmed.charAt(0).toUpperCase()}${trimEndMatching(trimmed.slice(1), /[.! ]/)}.`
}
