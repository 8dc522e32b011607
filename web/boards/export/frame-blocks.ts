import type { BoardConfig, Frame } from '#contract/boards/boards.ts'
import { type ProcessStep, readContent } from '#contract/boards/frame-content.ts'
import { type FrameType, frameTypes, isFrameType } from '#contract/boards/frame-types.ts'
import { htmlToText } from '#contract/html-text.ts'

export interface FrameDetails {
  /** `data:image/…` URL. */
  picture?: string
  /** Name of its agent or entity. */
  name?: string
}

export type FrameBlock =
  | { kind: 'text'; text: string; textStyle: 'words' | 'title' | 'strong' | 'quiet' | 'mono' }
  | { kind: 'step'; state: ProcessStep['state']; text: string }
  | { kind: 'picture'; href: string; fit: 'cover' | 'contain' }

/** Characters; more than any frame can show. */
const maxBlockTextLength = 6000
const toTextBlocks = (
  text: string,
  textStyle: Extract<FrameBlock, { kind: 'text' }>['textStyle'] = 'words',
): FrameBlock[] =>
  text.trim() === '' ? [] : [{ kind: 'text', text: text.slice(0, maxBlockTextLength).toWellFormed(), textStyle }]

export function toFrameBlocks(frame: Frame, config: BoardConfig, details: FrameDetails = {}): FrameBlock[] {
  const { frameType, content } = frame.data
  if (!isFrameType(frameType)) return toTextBlocks(`Frame type "${frameType}" is not supported.`, 'quiet')
  const blocks = blocksByType[frameType]?.(content, details, config) ?? describeEntity(frameType, details)
  return blocks.length > 0 ? blocks : toTextBlocks('Nothing here yet.', 'quiet')
}

const blocksByType: Partial<
  Record<FrameType, (content: Record<string, unknown>, details: FrameDetails, config: BoardConfig) => FrameBlock[]>
> = {
  media_card(content, { picture }) {
    const { title, caption, alt, fit } = readContent('media_card', content)
    const pictureBlocks: FrameBlock[] = picture ? [{ kind: 'picture', href: picture, fit }] : toTextBlocks(alt, 'quiet')
    return [...pictureBlocks, ...toTextBlocks(title, 'title'), ...toTextBlocks(caption)]
  },
  preview(content, { name }) {
    const { kind, entity, html } = readContent('preview', content)
    if (kind === 'page') return toTextBlocks(htmlToText(html.slice(0, maxBlockTextLength * 4)))
    if (!entity) return toTextBlocks('Nothing chosen yet.', 'quiet')
    return [...toTextBlocks(name ?? '', 'title'), ...toTextBlocks(`A ${entity}, read-only.`, 'quiet')]
  },
  code_snippet(content) {
    const { code, language } = readContent('code_snippet', content)
    return [...(language === 'text' ? [] : toTextBlocks(language, 'quiet')), ...toTextBlocks(code, 'mono')]
  },
  process_frame(content) {
    const { steps } = readContent('process_frame', content)
    return steps.map(({ title, state }) => ({ kind: 'step', state, text: title }))
  },
  dialog(content, { name }) {
    const { agentId } = readContent('dialog', content)
    return agentId
      ? [...toTextBlocks(name ?? 'An agent', 'title'), ...toTextBlocks('A chat with this agent.', 'quiet')]
      : noAgentBlocks
  },
  agent_preview(content, { name }) {
    const { agentId, input, runId } = readContent('agent_preview', content)
    if (!agentId && !runId) return noAgentBlocks
    return [
      ...toTextBlocks(name ?? 'An agent', 'title'),
      ...toTextBlocks(input),
      ...toTextBlocks(runId ? 'One of the agent’s runs.' : 'Ready to run.', 'quiet'),
    ]
  },
  config_panel(content, { name }, config) {
    const { entity } = readContent('config_panel', content)
    if (entity !== 'board')
      return [...toTextBlocks(name ?? '', 'title'), ...toTextBlocks(`The settings of ${addArticle(entity)}.`, 'quiet')]
    return [
      ...toTextBlocks(config.name, 'title'),
      ...toTextBlocks(`Layout: ${config.layout}`),
      ...toTextBlocks(`Mode: ${config.engagementMode}`),
      ...toTextBlocks(`Animation: ${config.animation}`),
    ]
  },
}

const noAgentBlocks = toTextBlocks('No agent chosen yet.', 'quiet')

function describeEntity(frameType: FrameType, { name }: FrameDetails): FrameBlock[] {
  return [...toTextBlocks(name ?? '', 'title'), ...toTextBlocks(frameTypes[frameType].helpText, 'quiet')]
}

const addArticle = (entity: string) => `${/^[aeiou]/.test(entity) ? 'an' : 'a'} ${entity.replace('-', ' ')}`
