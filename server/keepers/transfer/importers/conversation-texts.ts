import type { BlockContent, Paragraph } from 'mdast'
import { parseJson } from './foreign-values.ts'
import { writeMarkdown } from './html-to-markdown.ts'

/** Files of a conversation; the text mentions each one at its original position. */
export function formatFileMark(kind: 'File' | 'Picture' | 'Recording' | 'Video', name?: string | undefined): string {
  return name ? `[${kind}: ${name.replace(/[[\]\\\n]/g, ' ').trim()}]` : `[${kind}]`
}

/** The fence is longer than any fence in the text. */
export function formatCode(code: string, language = ''): string {
  const maxFenceLength = Math.max(2, ...[...code.matchAll(/`{3,}/g)].map(([fence]) => fence.length))
  const fence = '`'.repeat(maxFenceLength + 1)
  return `${fence}${/^[\w+#.-]{1,40}$/.test(language) ? language : ''}\n${code.replace(/\n$/, '')}\n${fence}`
}

export function joinParts(parts: readonly (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined && part.trim() !== '').join('\n\n')
}

const markStart = '\uE200'
const markEnd = '\uE201'
const markSeparator = '\uE202'
/** Matches the marks around highlighted words and the remainder of their block. */
const otherMarks = /[\uE200-\uE20F]/g
/** The older citation format, such as 【12†source】. */
const bracketMarks = /【\d{1,4}(?::\d{1,4})?†[^【】]{0,300}】/g

/**
 * Citations are marked in brackets or by private-use characters: `START cite SEPARATOR turn0search1 END`. Only names
 * and link texts are kept.
 */
export function removeCitationMarks(marked: string): string {
  const text = marked.replace(bracketMarks, '')
  const [first = '', ...others] = text.split(markStart)
  if (others.length === 0) return text.replace(otherMarks, '')
  const cleaned = others.map((part) => {
    const end = part.indexOf(markEnd)
    if (end < 0) return part
    const [kind = '', ...fields] = part.slice(0, end).split(markSeparator)
    return getMarkedText(kind, fields) + part.slice(end + 1)
  })
  return [first, ...cleaned].join('').replace(otherMarks, '')
}

function getMarkedText(kind: string, fields: readonly string[]): string {
  if (kind === 'url' || kind === 'link_title') return fields[0] ?? ''
  if (kind !== 'entity') return ''
  const named = parseJson(fields.join(markSeparator))
  return Array.isArray(named) && typeof named[1] === 'string' ? named[1] : ''
}

/** Appends details that a moment has no field for, as a list. */
export function appendDetails(text: string, details: readonly string[]): string {
  const lines = [...new Set(details.map(toLine))].filter((line) => line !== '')
  if (lines.length === 0) return text
  const children = lines.map((line) => ({ type: 'listItem' as const, spread: false, children: [toParagraph(line)] }))
  return joinBlocks(text, renderBlock({ type: 'list', ordered: false, spread: false, children }))
}

/** Puts the question that the other app asked above the answer, as a quote. */
export function prependPrompt(text: string, prompt: string | undefined): string {
  const line = toLine(prompt ?? '')
  return line === '' ? text : joinBlocks(renderBlock({ type: 'blockquote', children: [toParagraph(line)] }), text)
}

/** The text of entries that are only a mood, because a moment needs text. */
export function describeMood(label: string | undefined, activities: readonly string[]): string {
  return renderBlock(toParagraph([label, activities.join(', ')].filter(Boolean).join(': ')))
}

const toLine = (text: string) => text.replace(/\s+/g, ' ').trim()
const toParagraph = (value: string): Paragraph => ({ type: 'paragraph', children: [{ type: 'text', value }] })
const renderBlock = (block: BlockContent) => writeMarkdown([block])
const joinBlocks = (first: string, second: string) => [first, second].filter((text) => text !== '').join('\n\n')
