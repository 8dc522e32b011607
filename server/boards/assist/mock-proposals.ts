import type { FrameType } from '#contract/boards/frame-types.ts'

interface MockFrame {
  type: FrameType
  name: string
  why: string
  content?: Record<string, unknown>
}

const wordRules: [RegExp, FrameType, (topic: string) => Omit<MockFrame, 'type' | 'why'>][] = [
  [
    /\b(steps?|rounds?|routines?|plans?|planning|release|checklists?|process|weekly|daily|evening|morning|project)\b/i,
    'process_frame',
    (topic) => ({
      name: `Steps for ${topic}`,
      content: { steps: ['Gather what you have', 'Decide what comes first', 'Do it', 'Look back'] },
    }),
  ],
  [
    /\b(ask|asks|talk|talks|chat|chats|think|decide|decision|questions?|interview)\b/i,
    'dialog',
    (topic) => ({ name: `Talk about ${topic}` }),
  ],
  [
    /\b(agents?|run|runs|automate|try|compare|summari[sz]e)\b/i,
    'agent_preview',
    (topic) => ({ name: `Run for ${topic}`, content: { input: `Tell me about ${topic}.` } }),
  ],
  [
    /\b(code|prompts?|command|script|configuration|sql|json|snippets?)\b/i,
    'code_snippet',
    (topic) => ({ name: 'Notes to copy', content: { code: `# ${topic}\n`, language: 'markdown' } }),
  ],
  [
    /\b(journeys?|trips?|travel|walks?|year|seasons?)\b/i,
    'preview',
    () => ({ name: 'Journey at a glance', content: { entity: 'journey' } }),
  ],
  [
    /\b(keepers?|memory|memories|moments?|diary|remember)\b/i,
    'preview',
    () => ({ name: 'Keeper at a glance', content: { entity: 'keeper' } }),
  ],
  [/\b(family|team|people|members?|friends?|together|choir|club)\b/i, 'people_overview', () => ({ name: 'People' })],
  [/\b(roles?|rights?|may)\b/i, 'role_manager', () => ({ name: 'Roles' })],
  [/\b(share[ds]?|sharing|network)\b/i, 'collaboration_network', () => ({ name: 'Who travels together' })],
  [
    /\b(settings?|colou?rs?|configure|look)\b/i,
    'config_panel',
    () => ({ name: 'Board settings', content: { entity: 'board' } }),
  ],
]

export function buildMockProposals(purpose: string, offeredTypes: readonly FrameType[]): string {
  const topic = extractTopic(purpose)
  const matches = wordRules.flatMap(([pattern, type, createFrame]): MockFrame[] => {
    const word = pattern.exec(purpose)?.[0]
    return word && offeredTypes.includes(type)
      ? [{ type, why: `Mock suggestion for the word “${word}”.`, ...createFrame(topic) }]
      : []
  })
  const coverFrame: MockFrame = {
    type: 'media_card',
    name: 'Cover',
    why: 'Mock suggestion: every board can start with a cover.',
    content: { title: topic },
  }
  const stepsFrame: MockFrame = {
    type: 'process_frame',
    name: `Steps for ${topic}`,
    why: 'Mock suggestion, because no word matched another frame.',
    content: { steps: ['Start', 'Continue', 'Look back'] },
  }
  const frames = [coverFrame, ...(matches.length > 0 ? matches : [stepsFrame])]
  const summary = `A mock answer based on your words: ${frames.length} frames for “${topic}”.`
  return `\`\`\`json\n${JSON.stringify({ summary, frames }, null, 1)}\n\`\`\``
}

const fillerPattern =
  /^(?:please\s+|i(?:'d| would)? (?:want|need|like)\s+(?:to have\s+)?|(?:can|could) you\s+|make(?: me)?\s+|give me\s+)*(?:an?\s+|the\s+)?(?:board\s+)?(?:(?:that|which|for|to|of|about|with)\s+)?/i

function extractTopic(purpose: string): string {
  const plain = purpose.replace(/\s+/g, ' ').trim()
  const stripped = plain.replace(fillerPattern, '').replace(/[.!?…].*$/s, '')
  const topic = [...(stripped || plain)]
    .slice(0, 40)
    .join('')
    .replace(/["“”\\]/g, '')
    .trim()
  return topic || 'this board'
}
