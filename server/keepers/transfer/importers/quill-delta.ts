import { readRichText } from './day-one-rich-text.ts'
import { type ForeignObject, toList, toNumber, toObject, toText } from './foreign-values.ts'

/**
 * Converts a Quill document, an object or its JSON, to Markdown. Returns undefined for anything else. Quill stores a
 * line's format with its line break.
 */
export function readQuillDelta(source: unknown): string | undefined {
  const operations = toObject(typeof source === 'string' ? parseJson(source) : source)?.ops
  if (!Array.isArray(operations)) return undefined
  const contents = operations.flatMap((value) => {
    const operation = toObject(value)
    const text = operation?.insert
    if (typeof text !== 'string') return []
    const attributes = toObject(operation?.attributes) ?? {}
    return text.split(/(?<=\n)|(?=\n)/).map((part) => ({
      text: part,
      attributes: part === '\n' ? { line: toLineFormat(attributes) } : toTextFormat(attributes),
    }))
  })
  return readRichText({ contents })
}

function parseJson(text: string): unknown {
  if (!/^\s*\{/.test(text)) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function toTextFormat({ bold, italic, strike, code, link }: ForeignObject): ForeignObject {
  return { bold, italic, strikethrough: strike, inlineCode: code, linkURL: toText(link) }
}

function toLineFormat(attributes: ForeignObject): ForeignObject {
  const list = toText(attributes.list)
  const [listStyle] = toList(list).map(
    (kind) => ({ ordered: 'numbered', bullet: 'bulleted', checked: 'checkbox', unchecked: 'checkbox' })[String(kind)],
  )
  return {
    header: attributes.header,
    listStyle,
    checked: list === 'checked',
    indentLevel: 1 + (toNumber(attributes.indent) ?? 0),
    quote: attributes.blockquote,
    // The value of a code block can be its language.
    codeBlock: attributes['code-block'] !== undefined && attributes['code-block'] !== false,
  }
}
