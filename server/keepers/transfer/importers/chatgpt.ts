import type { SourceRole } from '#contract/keepers/sources.ts'
import type { ImportNotes, NoteText } from '../import-notes.ts'
import { readJsonValues } from '../read-json.ts'
import type { ZipReader } from '../zip-reader.ts'
import { formatCode, formatFileMark, joinParts, removeCitationMarks } from './conversation-texts.ts'
import { type ForeignObject, hashContent, toBoolean, toInstant, toList, toObject, toText } from './foreign-values.ts'
import type { ImportedMessage, ImportedSource, Importer } from './importer.ts'
import { mapJsonValues } from './read-entries.ts'

// ChatGPT's export: conversations.json, or conversations-000.json and so on, about 100 conversations each.

/** Results of searches make a conversation long. */
const maxTokens = 2_000_000

export const chatGpt: Importer = {
  kind: 'chatgpt',
  recognizes: (zip) =>
    zip.someHeadMatches(
      listConversationFiles(zip).slice(0, 1),
      (head) => /"mapping"\s*:\s*\{/.test(head),
      recognitionBytes,
    ),
  read: (zip, { notes }) => readConversations(zip, notes, readConversation),
}

/** Bytes of a file that must be read to recognize its app. */
export const recognitionBytes = 256 * 1024

export const listConversationFiles = (zip: ZipReader) =>
  zip.list(/^(?:.{0,300}\/)?conversations(?:[-_]\d{1,6})?\.json$/i)

export async function* readConversations(
  zip: ZipReader,
  notes: ImportNotes,
  read: typeof readConversation,
): AsyncGenerator<ImportedSource> {
  for (const name of listConversationFiles(zip))
    yield* mapJsonValues(readJsonValues(zip, name, ['$.*'], { maxTokens }), `${name}, conversation`, (value, label) =>
      read(value, notes, label),
    )
}

export const conversationNotes = {
  unreadable: {
    one: '1 conversation can’t be read and is left out.',
    many: '# conversations can’t be read and are left out.',
  },
  files: {
    one: '1 file is named in its conversation and not imported.',
    many: '# files are named in their conversations and not imported.',
  },
  notRemembered: {
    one: 'You asked the app not to remember 1 conversation, so nothing can be kept from it.',
    many: 'You asked the app not to remember # conversations, so nothing can be kept from them.',
  },
} satisfies Record<string, NoteText>

export function readConversation(value: unknown, notes: ImportNotes, label: string): ImportedSource | undefined {
  const conversation = toObject(value)
  const mapping = toObject(conversation?.mapping)
  if (!conversation || !mapping) {
    notes.add(conversationNotes.unreadable, label)
    return undefined
  }
  // Early exports have no id; the first node and the time, in microseconds, stay the same.
  const sourceId =
    toText(conversation.conversation_id) ??
    toText(conversation.id) ??
    hashContent(JSON.stringify([conversation.create_time, Object.keys(mapping)[0]]))
  const model = toText(conversation.default_model_slug)
  const messages = readNodes(mapping, { notes, label, model })
  const times = messages.flatMap(({ at }) => at ?? [])
  const changedAt = toInstant(conversation.update_time) ?? times.at(-1)
  const keepable = toBoolean(conversation.is_do_not_remember) !== true
  if (!keepable) notes.add(conversationNotes.notRemembered, label)
  return {
    kind: 'conversation',
    sourceId,
    group: 'ChatGPT',
    occurredAt: toInstant(conversation.create_time) ?? times[0] ?? changedAt ?? Number.NaN,
    changedAt,
    title: toText(conversation.title),
    messages,
    currentMessageId: toText(conversation.current_node),
    keepable,
  }
}

interface NodeContext {
  notes: ImportNotes
  label: string
  model: string | undefined
}

/** Some exports leave out the parents, others the children. */
function readNodes(mapping: ForeignObject, context: NodeContext): ImportedMessage[] {
  const parents = new Map<string, string>()
  for (const [id, value] of Object.entries(mapping))
    for (const child of toList(toObject(value)?.children)) if (typeof child === 'string') parents.set(child, id)
  return Object.entries(mapping).map(([id, value]) => {
    const node = toObject(value)
    const parentId = toText(node?.parent) ?? parents.get(id) ?? null
    return { id, parentId, ...readMessage(toObject(node?.message), context) }
  })
}

const roles: Partial<Record<string, SourceRole>> = { user: 'person', assistant: 'assistant', tool: 'tool' }
const visibleContentTypes = new Set(['text', 'multimodal_text', 'code', 'tether_quote'])

function readMessage(
  message: ForeignObject | undefined,
  { notes, label, model }: NodeContext,
): Omit<ImportedMessage, 'id' | 'parentId'> {
  const role = roles[toText(toObject(message?.author)?.role) ?? ''] ?? 'system'
  if (!message) return { role, text: '', hidden: true }
  const content = toObject(message.content)
  const metadata = toObject(message.metadata)
  const contentType = toText(content?.content_type) ?? 'text'
  const { text, files } = readContent(contentType, content, message)
  const attachments = toList(metadata?.attachments).flatMap((file) => toText(toObject(file)?.name) ?? [])
  // Pictures are attachments as well as parts.
  const marks = attachments.length >= files.length ? attachments.map((name) => formatFileMark('File', name)) : files
  const recipient = toText(message.recipient) ?? 'all'
  // A picture that the app drew is the result of a tool.
  const isPicture = role === 'tool' && contentType === 'multimodal_text' && files.includes(formatFileMark('Picture'))
  const isFromSpeaker = role === 'person' || role === 'assistant' || isPicture
  const isMarkedHidden =
    toBoolean(metadata?.is_visually_hidden_from_conversation) === true ||
    toBoolean(metadata?.is_user_system_message) === true
  const hidden = !isFromSpeaker || recipient !== 'all' || !visibleContentTypes.has(contentType) || isMarkedHidden
  if (marks.length > 0 && !hidden) notes.add(conversationNotes.files, label, marks.length)
  return {
    role: isPicture ? 'assistant' : role,
    text: isPicture
      ? formatFileMark('Picture', toText(metadata?.image_gen_title))
      : joinParts([removeCitationMarks(text), ...marks]),
    hidden,
    at: toInstant(message.create_time),
    model: role === 'assistant' ? (toText(metadata?.model_slug) ?? model) : undefined,
  }
}

const fileKinds: [pattern: RegExp, kind: 'Picture' | 'Recording' | 'Video'][] = [
  [/image/, 'Picture'],
  [/real_time|video/, 'Video'],
  [/audio/, 'Recording'],
]

function readContent(
  contentType: string,
  content: ForeignObject | undefined,
  message: ForeignObject,
): { text: string; files: string[] } {
  const files: string[] = []
  const texts = toList(content?.parts ?? content?.thoughts).map((part) => {
    if (typeof part === 'string') return part
    const object = toObject(part)
    const kind = toText(object?.content_type) ?? ''
    const pointer = fileKinds.find(([pattern]) => pattern.test(kind) && kind.includes('pointer'))
    if (pointer) files.push(formatFileMark(pointer[1]))
    return joinParts([toText(object?.summary), toText(object?.text), toText(object?.content)])
  })
  // Recaps have their text in `content.content`, older formats in `message.content`.
  const fallbackText =
    toText(content?.text) ?? toText(content?.content) ?? toText(content?.result) ?? toText(message.content)
  const text = joinParts([...texts, fallbackText])
  const isCode = contentType === 'code' && text !== ''
  return { text: isCode ? formatCode(text, toText(content?.language)?.replace(/^unknown$/, '')) : text, files }
}
