import type { BoardConfig, Frame } from '#contract/boards/boards.ts'
import { counted } from '#web/ui/counted.ts'
import type { DocumentChange } from '../document/board-changes.ts'
import { fieldsOf, same } from '../document/board-changes.ts'

const fieldNames: Record<string, string> = {
  position: 'position',
  size: 'size',
  name: 'name',
  slug: 'slug',
  description: 'description',
  engagementMode: 'engagement pattern',
  theme: 'theme',
  entityType: 'subject',
  entityId: 'subject',
  'content.mediaId': 'picture',
  'content.title': 'title',
  'content.caption': 'caption',
  'content.alt': 'alternative text',
  'content.fit': 'fit',
  'content.kind': 'kind',
  'content.entity': 'what it shows',
  'content.entityId': 'what it shows',
  'content.html': 'page',
  'content.code': 'code',
  'content.language': 'language',
  'content.agentId': 'agent',
  'content.sessionId': 'chat',
  'content.steps': 'steps',
  'content.input': 'question',
  'content.runId': 'run',
}
const configNames: Record<keyof BoardConfig, string> = {
  name: 'name of the board',
  description: 'description of the board',
  layout: 'layout',
  engagementMode: 'engagement mode',
  allowLayoutEditing: 'layout editing',
  animation: 'animation',
  theme: 'colors',
}

export const fieldName = (field: string) => fieldNames[field] ?? field.replace(/^content\./, '')
export const configName = (field: keyof BoardConfig) => configNames[field]

function changedFields(before: Frame, after: Frame): string[] {
  const [was, is] = [fieldsOf(before), fieldsOf(after)]
  const keys = [...new Set([...Object.keys(was), ...Object.keys(is)])].filter((key) => !same(was[key], is[key]))
  return [...new Set(keys.map(fieldName))]
}

export function sentencesOf({ frames, config, order }: DocumentChange): string[] {
  const told = frames.map(({ before, after }) => {
    if (before && after) return `${quoted(after)}: changed ${listed(changedFields(before, after))}.`
    return before ? `${quoted(before)}: deleted.` : `${after ? quoted(after) : 'A frame'}: added.`
  })
  if (config) {
    const keys = (Object.keys(config.after) as (keyof BoardConfig)[]).filter(
      (key) => !same(config.before[key], config.after[key]),
    )
    told.push(`The board: changed ${listed(keys.map(configName))}.`)
  }
  if (order && frames.every(({ before, after }) => before && after)) told.push('The frames are in a different order.')
  return told
}

export function valueInWords(frame: Frame, field: string): string | undefined {
  const value = fieldsOf(frame)[field]
  if (field === 'position') return `${frame.data.position.x}, ${frame.data.position.y}`
  if (field === 'size') return `${frame.data.size.width} × ${frame.data.size.height}`
  if (field === 'content.steps' && Array.isArray(value)) {
    const steps = value as { title: string; state: string }[]
    return steps.length === 0 ? 'no steps' : steps.map(({ title, state }) => `${title} (${state})`).join('\n')
  }
  return inWords(value)
}

export function inWords(value: unknown): string | undefined {
  if (value === null || value === undefined || value === '') return 'nothing'
  if (typeof value === 'string') return value
  if (typeof value === 'number') return value.toLocaleString('en-US')
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (Array.isArray(value)) return counted(value.length, 'entry', 'entries')
  return Object.values(value).join(', ')
}

const quoted = ({ data }: Frame) => `“${data.name}”`

/** 'a', 'a and b', 'a, b and c' */
export function listed(words: readonly string[]): string {
  const last = words.at(-1) ?? ''
  return words.length < 2 ? last : `${words.slice(0, -1).join(', ')} and ${last}`
}
