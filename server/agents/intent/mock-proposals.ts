import type { AgentProposal, KeeperTypeProposal } from '#contract/agents/intent.ts'
import type { BuiltInTool } from '#contract/agents/tools.ts'
import { trimEndOf } from '#contract/trim-end-of.ts'
import { truncate } from '#contract/truncate.ts'

const lead = /\b(chat|chats|talk|talks|visitors?|customers?|public)\b/i
const toolWords: [RegExp, BuiltInTool[]][] = [
  [/\b(memory|memories|remember|cards?|keepers?)\b/i, ['search_memory']],
  [/\b(moments?|days?|daily|weeks?|weekly|diary|journal)\b/i, ['list_moments']],
  [/\b(reflect|reflects|reflections?)\b/i, ['write_reflection']],
  [/\b(logbook|log)\b/i, ['add_logbook_entry']],
  [/\b(remind|reminds|reminders?|echo|echoes)\b/i, ['schedule_echo']],
  [/\b(web|website|page|fetch|url|links?)\b/i, ['http_fetch']],
]
const fillers =
  /^(?:please\s+|i(?:'d| would)? (?:want|need|like)\s+(?:to have\s+)?|(?:can|could) you\s+|make(?: me)?\s+|create(?: me)?\s+|build(?: me)?\s+|give me\s+|propose\s+)*(?:an?\s+|the\s+|some\s+)?(?:(?:\w+\s+)?agents?\s+)?(?:(?:that|which|who|to|for|of)\s+)?/i
const smallWords = new Set(
  'a an and at by for from in into my of on or our out that the their them then to up what which who with your'.split(
    ' ',
  ),
)

export function mockProposal(input: string): AgentProposal | undefined {
  const wish = input.replace(/\s+/g, ' ').trim()
  if (wish.endsWith('?')) return undefined
  const tools = toolWords.flatMap(([words, names]) => (words.test(wish) ? names : []))
  const isLead = lead.test(wish)
  return {
    name: nameFrom(wish.replace(fillers, ''), 'New Agent'),
    purpose: `${sentence(wish.replace(fillers, ''))} Say plainly what you do not know.`,
    agent_class: isLead ? 'Lead' : 'Standard',
    context_scope: tools.some((name) => name !== 'http_fetch') ? 'keeper' : 'user_input',
    memory_enabled: isLead,
    tools,
  }
}

const patterns: [RegExp, KeeperTypeProposal['memoryPattern'], string][] = [
  [/\b(track|tracks|count|counts|habits?|spend|spent|expenses|weight|measure)\b/i, 'tracker', 'it counts something'],
  [/\b(days?|daily|diary|journal|weeks?|weekly|every|visits?|trips?)\b/i, 'journal', 'it goes by the day'],
  [/\b(places?|rooms?|house|garden|maps?|where)\b/i, 'palace', 'it is about places'],
]

export function mockKeeperType(input: string): KeeperTypeProposal {
  const wish = input.replace(/\s+/g, ' ').trim()
  const [, memoryPattern, why] = patterns.find(([words]) => words.test(wish)) ?? [
    undefined,
    'sole' as const,
    'it reads like one story',
  ]
  const kept = wish.replace(/^i(?:'d| would)? (?:want|like|need) to keep (?:track of )?|^(?:keeping|keep)\s+/i, '')
  return {
    name: nameFrom(kept, 'New Keeper Type'),
    purpose: truncate(sentence(wish), 1000),
    memoryPattern,
    reason: `Chosen by a mock from keywords alone: ${why}.`,
  }
}

function nameFrom(text: string, otherwise: string): string {
  const words = text.match(/[\p{L}\p{N}]+/gu) ?? []
  const telling = words.filter((word) => !smallWords.has(word.toLowerCase())).slice(0, 3)
  const name = telling.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join(' ')
  return truncate(name, 80) || otherwise
}

function sentence(text: string): string {
  const trimmed = truncate(text.trim() || 'Helps', 4000)
  return `${trimmed.charAt(0).toUpperCase()}${trimEndOf(trimmed.slice(1), /[.! ]/)}.`
}
