import type { BuiltInTool } from '#contract/agents/tools.ts'

const maxStarters = 3
const maxToolStarters = 2
const maxStarterLength = 72

const toolStarters: Partial<Record<BuiltInTool, string>> = {
  list_moments: 'What did I note this week?',
  search_memory: 'What have I written about ',
  read_sole: 'What do you know about me?',
  search_documents: 'What do my documents say about ',
  write_reflection: 'Help me reflect on today',
  add_logbook_entry: 'Add this to my logbook: ',
  schedule_echo: 'Remind me in a week of ',
  http_fetch: 'Summarize this page: ',
}

/** Suggested first messages of an empty chat, from the agent’s purpose and its tools. */
export function createStarters({
  purpose,
  tools = [],
}: {
  purpose: string
  tools?: readonly string[] | undefined
}): string[] {
  const fromTools = tools.flatMap((tool) => toolStarters[tool as BuiltInTool] ?? [])
  const starters = [...fromTools.slice(0, maxToolStarters), ...createRequests(purpose), 'What can you help me with?']
  return [...new Set(starters)].slice(0, maxStarters)
}

/** 'Weighs decisions with you: lays out the options' as 'Weigh decisions with me'. */
function createRequests(purpose: string): string[] {
  for (const sentence of purpose.split(/(?<=[.!?])\s+|\n+/)) {
    const [clause = ''] = sentence.trim().split(/[.:;,!?]|\s(?:and|then|when|which|that|so)\s/)
    const [verb = '', ...words] = clause.trim().split(/\s+/)
    const base = toBaseForm(verb)
    const request = [base, ...words.map(toFirstPerson)].join(' ').replace(/^Answer questions about /, 'Tell me about ')
    if (base && words.length > 0 && request.length <= maxStarterLength) return [request]
  }
  return []
}

const notVerbs = new Set(['this', 'his', 'its', 'always', 'as', 'is', 'was', 'us', 'yes', 'news', 'perhaps'])
const irregularVerbs: Record<string, string> = { goes: 'go', does: 'do', has: 'have' }

/** 'Watches' as 'Watch'; undefined unless the word is a verb in the third person. */
function toBaseForm(word: string): string | undefined {
  const lower = word.toLowerCase()
  if (!/^[A-Z][a-z]+s$/.test(word) || /(ss|us|is)$/.test(lower) || notVerbs.has(lower)) return
  const base = irregularVerbs[lower] ?? removeThirdPersonEnding(lower)
  return base.charAt(0).toUpperCase() + base.slice(1)
}

function removeThirdPersonEnding(verb: string): string {
  if (/[^aeiou]ies$/.test(verb)) return `${verb.slice(0, -3)}y`
  return verb.slice(0, /(ch|sh|x|z|ss)es$/.test(verb) ? -2 : -1)
}

function toFirstPerson(word: string): string {
  const pronouns: Record<string, string> = { you: 'me', your: 'my', yours: 'mine', yourself: 'myself' }
  return pronouns[word] ?? word
}
