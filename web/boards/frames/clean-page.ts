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
export function cleanPage(html: string): { html: string; leftOut: boolean } {
  let clean = ''
  let leftOut = false
  let at = 0
  let droppedTag: string | undefined
  for (const { from, to, slash, name, attributeText } of tokenizePage(html)) {
    const tag = name.toLowerCase()
    if (droppedTag === undefined) clean += html.slice(at, from).replaceAll('<', '&lt;')
    at = to
    if (droppedTag !== undefined) {
      if (slash && tag === droppedTag) droppedTag = undefined
    } else if (allowedTags.has(tag)) {
      if (slash) clean += `</${tag}>`
      else {
        const cleaned = cleanAttributes(tag, attributeText)
        leftOut ||= cleaned.leftOut
        clean += `<${tag}${cleaned.text}>`
      }
    } else if (tag !== '' && !['html', 'head', 'body', 'meta', 'doctype'].includes(tag)) {
      leftOut = tag !== 'title' || leftOut
      if (!slash && droppedTags.has(tag) && !attributeText.trimEnd().endsWith('/')) droppedTag = tag
    }
  }
  if (droppedTag === undefined) clean += html.slice(at).replaceAll('<', '&lt;')
  return { html: clean, leftOut }
}

interface PageToken {
  from: number
  to: number
  slash: boolean
  /** Empty for comments and declarations. */
  name: string
  attributeText: string
}

/** Tokenizes tags, comments and declarations in linear time. */
function* tokenizePage(html: string): Generator<PageToken> {
  const tagEnds = findTagEnds(html)
  const lastEnd = html.lastIndexOf('>')
  const opening = /<(?:!--|[!?]|(\/?)([a-zA-Z][\w:-]*))/g
  for (let match = opening.exec(html); match; match = opening.exec(html)) {
    const [opener, slash = '', name = ''] = match
    const behind = opening.lastIndex
    let to: number
    if (opener === '<!--') {
      const end = html.indexOf('-->', behind)
      to = end < 0 ? html.length : end + 3
    } else if (name) to = (tagEnds[behind] ?? -1) + 1
    else to = behind > lastEnd ? 0 : html.indexOf('>', behind) + 1
    // Without a closing `>` it is text.
    if (to === 0) continue
    opening.lastIndex = to
    yield { from: match.index, to, slash: slash !== '', name, attributeText: name && html.slice(behind, to - 1) }
  }
}

/** For each index outside quotes, the next `>` outside quotes, or -1. */
function findTagEnds(html: string): Int32Array {
  const ends = new Int32Array(html.length + 1).fill(-1)
  const nextQuote: Record<string, number> = {}
  for (let at = html.length - 1; at >= 0; at--) {
    const sign = html.charAt(at)
    if (sign === '>') ends[at] = at
    else if (sign === '"' || sign === "'") {
      const close = nextQuote[sign]
      if (close !== undefined) ends[at] = ends[close + 1] ?? -1
      nextQuote[sign] = at
    } else ends[at] = ends[at + 1] ?? -1
  }
  return ends
}

function cleanAttributes(tag: string, attributeText: string): { text: string; leftOut: boolean } {
  let text = ''
  let leftOut = false
  for (const [, name = '', double, single, bare] of attributeText.matchAll(attributePattern)) {
    const key = name.toLowerCase()
    const value = double ?? single ?? bare ?? ''
    const isAllowed =
      allowedAttributes.has(key) ||
      (key === 'src' && tag === 'img' && /^data:image\/(png|jpeg|gif|webp);base64,[\w+/=\s]*$/i.test(value)) ||
      (key === 'href' && /^#[\w-]*$/.test(value))
    if (isAllowed) text += ` ${key}="${value.replaceAll('"', '&quot;').replaceAll('<', '&lt;')}"`
    else leftOut ||= key !== 'class' && key !== 'rel' && key !== 'target'
  }
  return { text, leftOut }
}

/** Wraps a page in a document with a color scheme; the policy blocks its own styles. */
export function toPageDocument(html: string, mode: 'light' | 'dark'): string {
  return `<!doctype html><html><head><meta charset="utf-8"><meta name="color-scheme" content="${mode}"><title>Page</title></head><body>${html}</body></html>`
}
