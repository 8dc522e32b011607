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
  try {
    const named: unknown = JSON.parse(fields.join(markSeparator))
    return Array.isArray(named) && typeof named[1] === 'string' ? named[1] : ''
  } catch {
    return ''
  }
}
