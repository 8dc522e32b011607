const textTags =
  'a abbr address article aside b blockquote br caption center cite code col colgroup dd del details dfn div dl dt em figcaption figure font footer h1 h2 h3 h4 h5 h6 header hr i img ins kbd li main mark nav ol p pre q s samp section small span strong sub summary sup table tbody td tfoot th thead time tr u ul var wbr'
const allowedTags = new Set(textTags.split(' '))
/** Elements whose content is dropped too. */
const droppedTags = new Set(
  'script style iframe object noscript template svg math title textarea select xmp noembed'.split(' '),
)
const allowedAttributes = new Set(
  'align alt bgcolor border cellpadding cellspacing color colspan datetime dir face height id lang open reversed rowspan scope size span start title type valign width'.split(
    ' ',
  ),
)
const attributePattern = /([^\s"'<>/=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'=<>`]+)))?/g

/** Keeps allowed content only. Security comes from the sandbox and its policy, not from this. */
export function cleanPage(html: string): { html: string; hasRemovedContent: boolean } {
  let cleanHtml = ''
  let hasRemovedContent = false
  let position = 0
  let droppedTag: string | undefined
  for (const { from, to, isClosing, name, attributeText } of tokenizePage(html)) {
    const tag = name.toLowerCase()
    if (droppedTag === undefined) cleanHtml += html.slice(position, from).replaceAll('<', '&lt;')
    position = to
    if (droppedTag !== undefined) {
      if (isClosing && tag === droppedTag) droppedTag = undefined
    } else if (allowedTags.has(tag)) {
      if (isClosing) cleanHtml += `</${tag}>`
      else {
        const cleaned = cleanAttributes(tag, attributeText)
        hasRemovedContent ||= cleaned.hasRemovedContent
        cleanHtml += `<${tag}${cleaned.text}>`
      }
    } else if (tag !== '' && !['html', 'head', 'body', 'meta', 'doctype'].includes(tag)) {
      hasRemovedContent = tag !== 'title' || hasRemovedContent
      if (!isClosing && droppedTags.has(tag) && !attributeText.trimEnd().endsWith('/')) droppedTag = tag
    }
  }
  if (droppedTag === undefined) cleanHtml += html.slice(position).replaceAll('<', '&lt;')
  return { html: cleanHtml, hasRemovedContent }
}

interface PageToken {
  from: number
  to: number
  isClosing: boolean
  /** Empty for comments and declarations. */
  name: string
  attributeText: string
}

/** Tokenizes tags, comments and declarations in linear time. */
function* tokenizePage(html: string): Generator<PageToken> {
  const tagEnds = findTagEnds(html)
  const lastEnd = html.lastIndexOf('>')
  const tagPattern = /<(?:!--|[!?]|(\/?)([a-zA-Z][\w:-]*))/g
  for (let match = tagPattern.exec(html); match; match = tagPattern.exec(html)) {
    const [opener, slash = '', name = ''] = match
    const nameEnd = tagPattern.lastIndex
    let to: number
    if (opener === '<!--') {
      const end = html.indexOf('-->', nameEnd)
      to = end < 0 ? html.length : end + 3
    } else if (name) to = (tagEnds[nameEnd] ?? -1) + 1
    else to = nameEnd > lastEnd ? 0 : html.indexOf('>', nameEnd) + 1
    // Without a closing `>` it is text.
    if (to === 0) continue
    tagPattern.lastIndex = to
    yield { from: match.index, to, isClosing: slash !== '', name, attributeText: name && html.slice(nameEnd, to - 1) }
  }
}

/** For each index outside quotes, the next `>` outside quotes, or -1. */
function findTagEnds(html: string): Int32Array {
  const ends = new Int32Array(html.length + 1).fill(-1)
  const nextQuote: Record<string, number> = {}
  for (let index = html.length - 1; index >= 0; index--) {
    const character = html.charAt(index)
    if (character === '>') ends[index] = index
    else if (character === '"' || character === "'") {
      const closingQuote = nextQuote[character]
      if (closingQuote !== undefined) ends[index] = ends[closingQuote + 1] ?? -1
      nextQuote[character] = index
    } else ends[index] = ends[index + 1] ?? -1
  }
  return ends
}

function cleanAttributes(tag: string, attributeText: string): { text: string; hasRemovedContent: boolean } {
  let text = ''
  let hasRemovedContent = false
  for (const [, name = '', doubleQuoted, singleQuoted, unquoted] of attributeText.matchAll(attributePattern)) {
    const key = name.toLowerCase()
    const value = doubleQuoted ?? singleQuoted ?? unquoted ?? ''
    const isAllowed =
      allowedAttributes.has(key) ||
      (key === 'src' && tag === 'img' && /^data:image\/(png|jpeg|gif|webp);base64,[\w+/=\s]*$/i.test(value)) ||
      (key === 'href' && /^#[\w-]*$/.test(value))
    if (isAllowed) text += ` ${key}="${value.replaceAll('"', '&quot;').replaceAll('<', '&lt;')}"`
    else hasRemovedContent ||= key !== 'class' && key !== 'rel' && key !== 'target'
  }
  return { text, hasRemovedContent }
}

/** Wraps a page in a document with a color scheme; the policy blocks its own styles. */
export function toPageDocument(html: string, mode: 'light' | 'dark'): string {
  return `<!doctype html><html><head><meta charset="utf-8"><meta name="color-scheme" content="${mode}"><title>Page</title></head><body>${html}</body></html>`
}
