import type { BoardConfig, Frame } from '#contract/boards/boards.ts'
import { formatList } from '#contract/boards/frame-types.ts'
import { pluralize } from '#web/ui/text/pluralize.ts'
import type { DocumentChange } from '../document/board-changes.ts'
import { getFrameFields, isEqualJson } from '../document/board-changes.ts'

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
  'content.entity': 'what the frame shows',
  'content.entityId': 'what the frame shows',
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

export const getBoardFieldName = (field: string) => fieldNames[field] ?? field.replace(/^content\./, '')
export const getConfigName = (field: keyof BoardConfig) => configNames[field]

function getChangedFieldNames(previous: Frame, updated: Frame): string[] {
  const [previousFields, updatedFields] = [getFrameFields(previous), getFrameFields(updated)]
  const keys = [...new Set([...Object.keys(previousFields), ...Object.keys(updatedFields)])].filter(
    (key) => !isEqualJson(previousFields[key], updatedFields[key]),
  )
  return [...new Set(keys.map(getBoardFieldName))]
}

export function describeChanges({ frames, config, order }: DocumentChange): string[] {
  const sentences = frames.map(({ before: previous, after: updated }) => {
    if (previous && updated)
      return `${quoteName(updated)}: changed ${formatList(getChangedFieldNames(previous, updated))}.`
    return previous ? `${quoteName(previous)}: deleted.` : `${updated ? quoteName(updated) : 'A frame'}: added.`
  })
  if (config) {
    const keys = (Object.keys(config.after) as (keyof BoardConfig)[]).filter(
      (key) => !isEqualJson(config.before[key], config.after[key]),
    )
    sentences.push(`The board: changed ${formatList(keys.map(getConfigName))}.`)
  }
  if (order && frames.every(({ before: previous, after: updated }) => previous && updated))
    sentences.push('The frames are in a different order.')
  return sentences
}

export function formatFieldValue(frame: Frame, field: string): string | undefined {
  const value = getFrameFields(frame)[field]
  if (field === 'position') return `${frame.data.position.x}, ${frame.data.position.y}`
  if (field === 'size') return `${frame.data.size.width} × ${frame.data.size.height}`
  if (field === 'content.steps' && Array.isArray(value)) {
    const steps = value as { title: string; state: string }[]
    return steps.length === 0 ? 'no steps' : steps.map(({ title, state }) => `${title} (${state})`).join('\n')
  }
  return formatBoardValue(value)
}

export function formatBoardValue(value: unknown): string | undefined {
  if (value === null || value === undefined || value === '') return 'nothing'
  if (typeof value === 'string') return value
  if (typeof value === 'number') return value.toLocaleString('en-US')
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (Array.isArray(value)) return pluralize(value.length, 'entry', 'entries')
  return Object.values(value).join(', ')
}

const quoteName = ({ data }: Frame) => `“${data.name}”`
