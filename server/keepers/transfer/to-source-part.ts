import { selectMessages } from '#contract/keepers/source-tree.ts'
import {
  maxSourceCharacters,
  maxSourceMessages,
  maxSourceTitleLength,
  type StoredSourceMessage,
} from '#contract/keepers/sources.ts'
import { cleanOneLine } from '#contract/one-line-text.ts'
import { truncate } from '#contract/truncate.ts'
import { toIsoTime } from '#server/values/iso-time.ts'
import { type ImportNotes, type NoteText, noteTexts } from './import-notes.ts'
import type { ImportTarget, SourcePart } from './import-plan.ts'
import type { ImportedMessage, ImportedSource } from './importers/importer.ts'
import { cleanText, isInstant } from './to-moment-part.ts'

/** Limit for a hidden message, such as a tool result. */
const maxHiddenLength = 20_000
const maxIdLength = 100

const sourceNotes = {
  long: {
    one: `1 conversation or document is longer than ${maxSourceCharacters.toLocaleString('en-US')} characters; the end of its text is left out.`,
    many: `# conversations or documents are longer than ${maxSourceCharacters.toLocaleString('en-US')} characters; the ends of their texts are left out.`,
  },
  manyMessages: {
    one: `1 conversation has more than ${maxSourceMessages.toLocaleString('en-US')} messages; only that many are imported.`,
    many: `# conversations have more than ${maxSourceMessages.toLocaleString('en-US')} messages; only that many of each are imported.`,
  },
} satisfies Record<string, NoteText>

/** Applies the limits of sources. Returns undefined if no message has text. */
export function toSourcePart(
  source: ImportedSource,
  { notes, target }: { notes: ImportNotes; target: ImportTarget },
): Omit<SourcePart, 'id'> | undefined {
  const title = truncate(cleanOneLine(source.title ?? ''), maxSourceTitleLength)
  const label = [source.group, title && `“${title.slice(0, 40)}”`].filter(Boolean).join(', ')
  if (!isInstant(source.occurredAt)) {
    notes.add(noteTexts.noDate, label)
    return undefined
  }
  const cleaned = source.messages.map(toMessage)
  const { selected, findNearest } = selectMessages(removeDuplicates(cleaned), ({ text }) => text !== '')
  if (!selected.some(({ hidden }) => !hidden)) {
    notes.add(noteTexts.empty, label)
    return undefined
  }
  if (selected.length > maxSourceMessages) notes.add(sourceNotes.manyMessages, label)
  const { messages, isCut } = limitTexts(sortByTime(selected).slice(0, maxSourceMessages))
  if (isCut) notes.add(sourceNotes.long, label)
  const currentId = findNearest(toId(source.currentMessageId ?? ''))
  return {
    kind: 'source',
    target,
    sourceId: source.sourceId.slice(0, 200),
    sourceKind: source.kind,
    title,
    messages,
    currentMessageId: messages.some(({ id }) => id === currentId) ? currentId : (messages.at(-1)?.id ?? null),
    occurredAt: source.occurredAt,
    changedAt: source.changedAt !== undefined && isInstant(source.changedAt) ? source.changedAt : null,
    keepable: source.keepable ?? true,
  }
}

const toId = (id: string) => cleanOneLine(id).slice(0, maxIdLength)

function toMessage({ id, parentId, role, text, hidden, at, model }: ImportedMessage): StoredSourceMessage {
  const cleanedText = cleanText(text)
  return {
    id: toId(id),
    parentId: parentId === null ? null : toId(parentId),
    role,
    text: hidden ? truncate(cleanedText, maxHiddenLength) : cleanedText,
    at: at !== undefined && isInstant(at) ? toIsoTime(at) : null,
    model: (model !== undefined && truncate(cleanOneLine(model), 100)) || null,
    hidden,
  }
}

/** Keeps the first message of each id, in the place of the last. */
function removeDuplicates(messages: StoredSourceMessage[]): StoredSourceMessage[] {
  return [...new Map(messages.toReversed().map((message) => [message.id, message])).values()].toReversed()
}

/** Exports can list messages in any order. A message without a time gets its parent's; none is sorted before its parent. */
function sortByTime(messages: StoredSourceMessage[]): StoredSourceMessage[] {
  const positions = new Map<string, { time: number; index: number; depth: number }>()
  const byId = new Map(messages.map((message) => [message.id, message]))
  const indexes = new Map(messages.map(({ id }, index) => [id, index]))
  for (const message of messages) {
    const path: StoredSourceMessage[] = []
    let ancestor: StoredSourceMessage | undefined = message
    while (ancestor && !positions.has(ancestor.id)) {
      path.push(ancestor)
      ancestor = byId.get(ancestor.parentId ?? '')
    }
    for (const { id, parentId, at } of path.reverse()) {
      const parent = positions.get(parentId ?? '') ?? { time: Number.NEGATIVE_INFINITY, index: 0, depth: 0 }
      const time = Math.max(at === null ? parent.time : Date.parse(at), parent.time)
      positions.set(id, { time, index: Math.max(indexes.get(id) ?? 0, parent.index), depth: parent.depth + 1 })
    }
  }
  const getPosition = ({ id }: StoredSourceMessage) => positions.get(id) ?? { time: 0, index: 0, depth: 0 }
  return messages.toSorted((a, b) => {
    const left = getPosition(a)
    const right = getPosition(b)
    if (left.time !== right.time) return left.time - right.time
    return left.index - right.index || left.depth - right.depth
  })
}

/** Visible messages have priority over hidden ones. */
function limitTexts(messages: StoredSourceMessage[]): { messages: StoredSourceMessage[]; isCut: boolean } {
  let remainingCharacters = maxSourceCharacters
  let isCut = false
  const textById = new Map<string, string>()
  for (const { id, text, hidden } of messages.toSorted((a, b) => Number(a.hidden) - Number(b.hidden))) {
    const fitting = truncate(text, remainingCharacters)
    textById.set(id, fitting)
    remainingCharacters -= fitting.length
    if (!hidden && fitting.length < text.length) isCut = true
  }
  return { messages: messages.map((message) => ({ ...message, text: textById.get(message.id) ?? '' })), isCut }
}
