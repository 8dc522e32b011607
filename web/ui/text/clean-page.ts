import { readHtml } from '#contract/html-text.ts'

const textTags =
  'a abbr address article aside b blockquote br caption center cite code col colgroup dd del details dfn div dl dt em figcaption figure font footer h1 h2 h3 h4 h5 h6 header hr i img ins kbd li main mark nav ol p pre q s samp section small span strong sub summary sup table tbody td tfoot th thead time tr u ul var wbr'
const allowedTags = new Set(textTags.split(' '))
/** Elements whose content is dropped too. */
const droppedTags = new Set(
  'script style iframe object noscript template svg math title textarea select xmp noembed noframes'.split(' '),
)
/** Removing them changes nothing that is visible. */
const structuralTags = new Set(['html', 'head', 'body', 'meta', 'title'])
const allowedAttributes = new Set(
  'align alt bgcolor border cellpadding cellspacing color colspan datetime dir face height id lang open reversed rowspan scope size span start title type valign width'.split(
    ' ',
  ),
)
const invisibleAttributes = new Set(['class', 'rel', 'target'])

/** Keeps allowed content only. Security comes from the sandbox and its policy, not from this. */
export function cleanPage(html: string): { html: string; hasRemovedContent: boolean } {
  let cleanHtml = ''
  let hasRemovedContent = false
  let droppedTag: string | undefined
  readHtml(html, {
    onText(text) {
      if (droppedTag === undefined) cleanHtml += escapeHtml(text)
    },
    onTag({ name, isClosing, isSelfClosing, attributes }) {
      if (droppedTag !== undefined) {
        if (isClosing && name === droppedTag) droppedTag = undefined
      } else if (allowedTags.has(name)) {
        const safeAttributes = isClosing ? [] : [...attributes].filter(([key, value]) => isAllowed(name, key, value))
        const visibleCount = [...attributes.keys()].filter((key) => !invisibleAttributes.has(key)).length
        hasRemovedContent ||= !isClosing && safeAttributes.length < visibleCount
        const attributeText = safeAttributes.map(
          ([key, value]) => ` ${key}="${escapeHtml(value).replaceAll('"', '&quot;')}"`,
        )
        cleanHtml += `<${isClosing ? '/' : ''}${name}${attributeText.join('')}>`
      } else {
        hasRemovedContent ||= !structuralTags.has(name)
        if (!isClosing && !isSelfClosing && droppedTags.has(name)) droppedTag = name
      }
    },
  })
  return { html: cleanHtml, hasRemovedContent }
}

const escapeHtml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

const embeddedPicturePattern = /^data:image\/(png|jpeg|gif|webp);base64,[\w+/=\s]*$/i
const fragmentPattern = /^#[\w-]*$/

const isAllowed = (tag: string, key: string, value: string) =>
  allowedAttributes.has(key) ||
  (key === 'src' && tag === 'img' && embeddedPicturePattern.test(value)) ||
  (key === 'href' && fragmentPattern.test(value))

/** Wraps a page in a document with a color scheme; the policy blocks its own styles. */
export function toPageDocument(html: string, mode: 'light' | 'dark'): string {
  return `<!doctype html><html><head><meta charset="utf-8"><meta name="color-scheme" content="${mode}"><title>Page</title></head><body>${html}</body></html>`
}
