import type { BoardConfig, Frame } from '#contract/boards/boards.ts'
import { readContent, type Step } from '#contract/boards/frame-content.ts'
import { type FrameType, frameTypes, isFrameType } from '#contract/boards/frame-types.ts'
import { joinLines } from '#contract/join-lines.ts'
import { changeUpToLast } from '#web/ui/change-up-to-last.ts'

/** Data about a frame beyond its content. */
export interface Known {
  /** `data:image/…` URL. */
  picture?: string
  /** Name of its agent or entity. */
  name?: string
}

export type Block =
  | { kind: 'text'; text: string; look: 'words' | 'title' | 'strong' | 'quiet' | 'mono' }
  | { kind: 'step'; state: Step['state']; text: string }
  | { kind: 'picture'; href: string; fit: 'cover' | 'contain' }

/** Characters; more than any frame can show. */
const longest = 6000
const words = (text: string, look: Extract<Block, { kind: 'text' }>['look'] = 'words'): Block[] =>
  text.trim() === '' ? [] : [{ kind: 'text', text: text.slice(0, longest).toWellFormed(), look }]

/** Text and picture blocks that represent a frame in a drawing. */
export function wordsOf(frame: Frame, config: BoardConfig, known: Known = {}): Block[] {
  const { frameType, content } = frame.data
  if (!isFrameType(frameType)) return words(`Frame type "${frameType}" is not supported.`, 'quiet')
  const blocks = special[frameType]?.(content, known, config) ?? aboutEntity(frameType, known)
  return blocks.length > 0 ? blocks : words('Nothing here yet.', 'quiet')
}

const special: Partial<
  Record<FrameType, (content: Record<string, unknown>, known: Known, config: BoardConfig) => Block[]>
> = {
  media_card(content, { picture }) {
    const { title, caption, alt, fit } = readContent('media_card', content)
    const drawn: Block[] = picture ? [{ kind: 'picture', href: picture, fit }] : words(alt, 'quiet')
    return [...drawn, ...words(title, 'title'), ...words(caption)]
  },
  preview(content, { name }) {
    const { kind, entity, html } = readContent('preview', content)
    if (kind === 'page') return words(textOfPage(html))
    if (!entity) return words('Nothing chosen yet.', 'quiet')
    return [...words(name ?? '', 'title'), ...words(`A ${entity}, read-only.`, 'quiet')]
  },
  code_snippet(content) {
    const { code, language } = readContent('code_snippet', content)
    return [...(language === 'text' ? [] : words(language, 'quiet')), ...words(code, 'mono')]
  },
  process_frame(content) {
    const { steps } = readContent('process_frame', content)
    return steps.map(({ title, state }) => ({ kind: 'step', state, text: title }))
  },
  dialog(content, { name }) {
    const { agentId } = readContent('dialog', content)
    return agentId ? [...words(name ?? 'An agent', 'title'), ...words('A chat with this agent.', 'quiet')] : noAgent
  },
  agent_preview(content, { name }) {
    const { agentId, input, runId } = readContent('agent_preview', content)
    if (!agentId && !runId) return noAgent
    return [
      ...words(name ?? 'An agent', 'title'),
      ...words(input),
      ...words(runId ? 'Shows one of the agent’s runs.' : 'Ready to run.', 'quiet'),
    ]
  },
  config_panel(content, { name }, config) {
    const { entity } = readContent('config_panel', content)
    if (entity !== 'board')
      return [...words(name ?? '', 'title'), ...words(`The settings of ${article(entity)}.`, 'quiet')]
    return [
      ...words(config.name, 'title'),
      ...words(`Layout: ${config.layout}`),
      ...words(`Mode: ${config.engagementMode}`),
      ...words(`Animation: ${config.animation}`),
    ]
  },
}

const noAgent = words('No agent chosen yet.', 'quiet')

function aboutEntity(frameType: FrameType, { name }: Known): Block[] {
  return [...words(name ?? '', 'title'), ...words(frameTypes[frameType].helpText, 'quiet')]
}

const article = (entity: string) => `${/^[aeiou]/.test(entity) ? 'an' : 'a'} ${entity.replace('-', ' ')}`

const named: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' }

/** Strips markup; the result is drawn as plain text. */
function textOfPage(html: string): string {
  const words = html.slice(0, longest * 4).replace(/<(script|style|title|template)\b[\s\S]*?(?:<\/\1\s*>|$)/gi, ' ')
  const lines = changeUpToLast(words, '>', (text) =>
    text.replace(/<(?:br|\/p|\/h[1-6]|\/li|\/div|\/tr)\b[^>]*>/gi, '\n'),
  )
  const untagged = changeUpToLast(lines, '>', (text) => text.replace(/<[^>]*>/g, ''))
    .replace(/&(\w+);/g, (whole, name: string) => (Object.hasOwn(named, name) ? (named[name] ?? whole) : whole))
    .replace(/[ \t]+/g, ' ')
  return joinLines(untagged, '\n').trim()
}
