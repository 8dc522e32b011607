import { Tokenizer } from 'htmlparser2'

export interface HtmlTag {
  /** In lower case. */
  name: string
  isClosing: boolean
  isSelfClosing: boolean
  attributes: ReadonlyMap<string, string>
}

interface HtmlListener {
  /** Decoded text, also that of scripts and styles. */
  onText(text: string): void
  onTag(tag: HtmlTag): void
}

/** Reads HTML as browsers do, but without a tree: in linear time, however it is nested. */
export function readHtml(html: string, { onText, onTag }: HtmlListener, { isXml = false } = {}): void {
  let name = ''
  let attribute = ''
  let value = ''
  let attributes = new Map<string, string>()
  const ignore = () => undefined
  const tokenizer = new Tokenizer(
    { xmlMode: isXml, decodeEntities: true, recognizeSelfClosing: true },
    {
      onopentagname(start, end) {
        name = html.slice(start, end).toLowerCase()
        attributes = new Map()
      },
      onattribname(start, end) {
        attribute = html.slice(start, end).toLowerCase()
        value = ''
      },
      onattribdata(start, end) {
        value += html.slice(start, end)
      },
      onattribentity(codePoint) {
        value += String.fromCodePoint(codePoint)
      },
      onattribend() {
        if (!attributes.has(attribute)) attributes.set(attribute, value)
      },
      onopentagend: () => onTag({ name, isClosing: false, isSelfClosing: false, attributes }),
      onselfclosingtag: () => onTag({ name, isClosing: false, isSelfClosing: true, attributes }),
      onclosetag: (start, end) =>
        onTag({
          name: html.slice(start, end).trim().toLowerCase(),
          isClosing: true,
          isSelfClosing: false,
          attributes: new Map(),
        }),
      ontext: (start, end) => onText(html.slice(start, end)),
      ontextentity: (codePoint) => onText(String.fromCodePoint(codePoint)),
      oncdata: (start, end, offset) => onText(html.slice(start, end - offset)),
      oncomment: ignore,
      ondeclaration: ignore,
      onprocessinginstruction: ignore,
      onend: ignore,
    },
  )
  tokenizer.write(html)
  tokenizer.end()
}

/** Elements whose content isn't text. */
const skippedElements = new Set('script style template noscript iframe object noembed xmp svg'.split(' '))
const skippedInXml = new Set(['script', 'style'])
const blockElements = new Set(
  'title p div br li ul ol h1 h2 h3 h4 h5 h6 tr table section article header footer main nav blockquote pre hr dt dd'.split(
    ' ',
  ),
)

/** The text of a page, a line for each block. In XML, every element separates words. */
export function htmlToText(html: string, { isXml = false } = {}): string {
  const skipped = isXml ? skippedInXml : skippedElements
  const parts: string[] = []
  let skipping: string | undefined
  readHtml(
    html,
    {
      onText(text) {
        if (skipping === undefined) parts.push(text)
      },
      onTag({ name, isClosing, isSelfClosing }) {
        if (skipping !== undefined) {
          if (isClosing && name === skipping) skipping = undefined
        } else if (skipped.has(name) && !isClosing && !isSelfClosing) skipping = name
        else if (blockElements.has(name)) parts.push('\n')
        else if (isXml || name === 'td' || name === 'th') parts.push(' ')
      },
    },
    { isXml },
  )
  return parts
    .join('')
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n ?/g, '\n')
    .replace(/\n{2,}/g, '\n\n')
    .trim()
}

/** The encoding that a page declares in its beginning. */
export function readMetaCharset(head: string): string | undefined {
  let declared: string | undefined
  readHtml(head, {
    onText: () => undefined,
    onTag({ name, attributes }) {
      if (name !== 'meta' || declared) return
      const isContentType = /^content-type$/i.test(attributes.get('http-equiv')?.trim() ?? '')
      const inContent = /charset\s*=\s*["']?\s*([^\s"';]+)/i.exec(attributes.get('content') ?? '')?.[1]
      declared = (attributes.get('charset') ?? (isContentType ? inContent : undefined))?.trim()
    },
  })
  return declared
}
