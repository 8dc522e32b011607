/** Files of a conversation, named in the text where they stood. */
export function formatFileMark(kind: 'File' | 'Picture' | 'Recording' | 'Video', name?: string | undefined): string {
  return name ? `[${kind}: ${name.replace(/[[\]\\\n]/g, ' ').trim()}]` : `[${kind}]`
}

/** Fenced longer than any fence inside. */
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
/** Marks of highlighted words, and the rest of their block. */
const otherMarks = /[\uE200-\uE20F]/g
/** The earlier form, such as 【12†source】. */
const bracketMarks = /【\d{1,4}(?::\d{1,4})?†[^【】]{0,300}】/g

/** Citations are marked in brackets or by private-use characters: `START cite SEPARATOR turn0search1 END`. The words of names and
 * links are kept, the rest is left out. */
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
  try {
    const named: unknown = JSON.parse(fields.join(markSeparator))
    return Array.isArray(named) && typeof named[1] === 'string' ? named[1] : ''
  } catch {
    return ''
  }
}
