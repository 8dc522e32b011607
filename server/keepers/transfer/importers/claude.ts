import type { ImportNotes, NoteText } from '../import-notes.ts'
import { readJsonInZip } from '../read-json.ts'
import type { ZipReader } from '../zip-reader.ts'
import { conversationNotes, listConversationFiles, readConversations, recognitionBytes } from './chatgpt.ts'
import { formatCode, formatFileMark, joinParts } from './conversation-texts.ts'
import { type ForeignObject, toInstant, toList, toObject, toText } from './foreign-values.ts'
import type { ImportedMessage, ImportedSource, Importer } from './importer.ts'

// Claude's export: conversations.json, and projects.json or one file per project in projects.

const maxProjects = 10_000

export const claude: Importer = {
  kind: 'claude',
  recognizes: (zip) =>
    zip.someHeadMatches(
      [...listConversationFiles(zip).slice(0, 1), ...listProjectFiles(zip).slice(0, 1)],
      (head) => /"chat_messages"\s*:\s*\[|"prompt_template"\s*:/.test(head),
      recognitionBytes,
    ),
  async *read(zip, { notes }) {
    yield* readConversations(zip, notes, readConversation)
    for (const name of listProjectFiles(zip))
      for (const project of toList(await readJsonInZip(zip, name))) yield* readProject(project, notes, name)
  },
}

const listProjectFiles = (zip: ZipReader) =>
  zip.list(/^(?:.{0,300}\/)?projects(?:\.json|\/[^/]{1,200}\.json)$/i).slice(0, maxProjects)

const projectNotes = {
  unreadable: { one: '1 project can’t be read and is left out.', many: '# projects can’t be read and are left out.' },
  description: {
    one: 'The description of 1 project is not imported.',
    many: 'The descriptions of # projects are not imported.',
  },
} satisfies Record<string, NoteText>

export function readConversation(value: unknown, notes: ImportNotes, label: string): ImportedSource | undefined {
  const conversation = toObject(value)
  const sourceId = toText(conversation?.uuid)
  if (!conversation || sourceId === undefined || !Array.isArray(conversation.chat_messages)) {
    notes.add(conversationNotes.unreadable, label)
    return undefined
  }
  const model = toText(conversation.model)
  const messages: ImportedMessage[] = []
  let previousId: string | null = null
  for (const [position, item] of conversation.chat_messages.entries()) {
    const newMessages = readMessage(item, { position, previousId, model, notes, label })
    messages.push(...newMessages)
    previousId = newMessages.at(-1)?.id ?? previousId
  }
  const changedAt = toInstant(conversation.updated_at)
  return {
    kind: 'conversation',
    sourceId,
    group: 'Claude',
    occurredAt: toInstant(conversation.created_at) ?? messages[0]?.at ?? changedAt ?? Number.NaN,
    changedAt,
    title: toText(conversation.name),
    messages,
    // If the export names no current message: the newest, or the last of several with the same time.
    currentMessageId:
      toText(conversation.current_leaf_message_uuid) ??
      messages.toSorted((left, right) => (left.at ?? 0) - (right.at ?? 0)).at(-1)?.id,
  }
}

interface MessageContext {
  position: number
  previousId: string | null
  model: string | undefined
  notes: ImportNotes
  label: string
}

/** The export contains this text instead of blocks that an old app can't show. */
const unsupportedBlock = /(?:```\n)?This block is not supported on your current device yet\.(?:\n```)?/g

const toVisibleText = (text: unknown) => toText(text)?.replace(unsupportedBlock, '')

/** The message, after a hidden one with its reasoning and tools. */
function readMessage(value: unknown, { position, previousId, model, notes, label }: MessageContext): ImportedMessage[] {
  const message = toObject(value)
  if (!message) return []
  const id = toText(message.uuid) ?? `message-${position}`
  // The first message names a parent that isn't in the export.
  const parentId = toText(message.parent_message_uuid) ?? previousId
  const role = toText(message.sender) === 'assistant' ? 'assistant' : 'person'
  const at = toInstant(message.created_at)
  const blocks = toList(message.content).map((block) => toObject(block) ?? { type: 'text', text: block })
  const isText = ({ type }: ForeignObject) => type === undefined || type === 'text'
  const visibleText = joinParts(blocks.filter(isText).map(({ text }) => toVisibleText(text)))
  const hiddenText = joinParts(blocks.filter((block) => !isText(block)).map(formatBlock))
  const attachments = toList(message.attachments).map((file) => toObject(file) ?? {})
  const attachmentTexts = attachments.map(({ file_name, extracted_content }) =>
    joinParts([
      toText(file_name) && formatFileMark('File', toText(file_name)),
      toText(extracted_content) && formatCode(toText(extracted_content) ?? ''),
    ]),
  )
  const fileNames = new Set(
    [...toList(message.files), ...toList(message.files_v2)].map((file) => toText(toObject(file)?.file_name) ?? 'file'),
  )
  if (fileNames.size > 0) notes.add(conversationNotes.files, label, fileNames.size)
  const files = [...fileNames].map((name) => formatFileMark('File', name))
  const text = joinParts([visibleText || toVisibleText(message.text), ...attachmentTexts, ...files])
  const answerDetails = role === 'assistant' ? { model } : {}
  if (hiddenText === '') return [{ id, parentId, role, text, hidden: false, at, ...answerDetails }]
  const hiddenId = `${id.slice(0, 80)}-reasoning`
  return [
    { id: hiddenId, parentId, role: 'tool', text: hiddenText, hidden: true, at },
    { id, parentId: hiddenId, role, text, hidden: false, at, ...answerDetails },
  ]
}

function formatBlock(block: ForeignObject): string {
  const { type, name, thinking, input, content, text } = block
  if (type === 'tool_use')
    return joinParts([toText(name), input !== undefined ? formatCode(JSON.stringify(input)) : ''])
  const inner = toList(content).map((item) => toText(toObject(item)?.text) ?? toText(item))
  return joinParts([toText(thinking) ?? toText(text), ...inner])
}

function* readProject(value: unknown, notes: ImportNotes, label: string): Generator<ImportedSource> {
  const project = toObject(value)
  const uuid = toText(project?.uuid)
  if (!project || uuid === undefined) {
    notes.add(projectNotes.unreadable, label)
    return
  }
  const group = toText(project.name) ?? 'Project'
  const createdAt = toInstant(project.created_at)
  const changedAt = toInstant(project.updated_at)
  const toDocument = (sourceId: string, title: string, text: string, times: ForeignObject): ImportedSource => ({
    kind: 'document',
    sourceId,
    group,
    occurredAt: toInstant(times.created_at) ?? createdAt ?? changedAt ?? Number.NaN,
    changedAt,
    title,
    messages: [{ id: 'text', parentId: null, role: 'document', text, hidden: false }],
    currentMessageId: 'text',
  })
  if (toText(project.description) !== undefined) notes.add(projectNotes.description, group)
  const instructions = toText(project.prompt_template)
  if (instructions !== undefined)
    yield toDocument(`${uuid} instructions`, `${group}: instructions`, instructions, project)
  for (const [position, item] of toList(project.docs).entries()) {
    const doc = toObject(item)
    const name = toText(doc?.filename) ?? toText(doc?.file_name) ?? `Document ${position + 1}`
    const text = toText(doc?.content)
    if (doc && text !== undefined) yield toDocument(toText(doc.uuid) ?? `${uuid} ${name}`, name, text, doc)
  }
}
