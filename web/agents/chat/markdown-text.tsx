import { gfmFromMarkdown } from 'mdast-util-gfm'
import { setextUnderline } from 'micromark-core-commonmark'
import { gfm } from 'micromark-extension-gfm'
import { lazy, memo, Suspense, use, useId, useMemo } from 'react'
import Markdown, { type Options } from 'react-markdown'
import rehypeSanitize, { defaultSchema } from 'rehype-sanitize'
import { isTooMuchMarkup } from '#contract/too-much-markup.ts'
import { convertHtml } from './convert-html.ts'
import { fadeLastWords } from './fade-words.ts'
import { formulaSyntax } from './formula-syntax.ts'
import { removePartialFormula } from './formula-text.ts'
import { isSafeAddress } from './link-address.ts'
import { mergeShortBlocks, splitFrontMatter, splitMarkdownBlocks } from './markdown-blocks.ts'
import { AuthorContext, components, NotePrefixContext, QuoteAddressesContext } from './markdown-components.tsx'
import { type HastNode, isFlowParent, type MdastNode, visitNodes } from './markdown-nodes.ts'
import { addTextAnchors } from './text-anchors.ts'
import { type MarkdownRules, markdownRules, type TextAuthor } from './text-author.ts'

/**
 * Markdown hides `[Anna]: hello` as the address of a link. In text of a person it stays text, unless it has an address
 * that something refers to; so does a footnote without a reference.
 */
function showTypedDefinitions({ rules }: { rules: MarkdownRules }) {
  return (tree: MdastNode, file: { value: unknown }) => {
    if (!rules.typedDefinitions) return
    const source = String(file.value)
    const references = new Set<string>()
    const footnotes = new Set<string>()
    const addresses = new Set<string>()
    visitNodes(tree, ({ type, identifier = '', url = '' }) => {
      if (type === 'definition' && isSafeAddress(url, rules)) addresses.add(identifier)
      if (type === 'linkReference' || type === 'imageReference') references.add(identifier)
      if (type === 'footnoteReference') footnotes.add(identifier)
    })
    const getSource = ({ position }: MdastNode) => source.slice(position?.start.offset, position?.end.offset)
    visitNodes(tree, (node) => {
      const definitionLines = new Set<MdastNode>()
      node.children &&= node.children.flatMap((child): MdastNode[] => {
        const { type, identifier = '', position } = child
        const isAddress = addresses.has(identifier)
        if (type === 'linkReference' && !isAddress) return [{ type: 'text', value: getSource(child), position }]
        if (!isFlowParent(node)) return [child]
        if (type === 'definition' && !(isAddress && references.has(identifier)) && !isComment(child)) {
          const line = { type: 'paragraph', children: [{ type: 'text', value: getSource(child) }], position }
          definitionLines.add(line)
          return [line]
        }
        if (type === 'footnoteDefinition' && !footnotes.has(identifier)) return showFootnote(child)
        return [child]
      })
      if (definitionLines.size > 0) node.children = joinDefinitionLines(node.children ?? [], definitionLines)
    })
  }
}

/** Continues a paragraph after a line that was parsed as a definition. */
function joinDefinitionLines(nodes: MdastNode[], definitionLines: ReadonlySet<MdastNode>): MdastNode[] {
  const joined: MdastNode[] = []
  let previous: MdastNode | undefined
  for (const node of nodes) {
    const isNextLine = previous?.position?.end.line === (node.position?.start.line ?? 0) - 1
    const last = joined.at(-1)
    if (previous && definitionLines.has(previous) && isNextLine && node.type === 'paragraph' && last)
      last.children = [...(last.children ?? []), { type: 'break' }, ...(node.children ?? [])]
    else joined.push(node)
    previous = node
  }
  return joined
}

/** `[//]: # (…)` is how people hide notes from all renderers. */
const isComment = ({ url, label }: MdastNode) => label === '//' || url === '#' || url === ''

function showFootnote({ label, children = [] }: MdastNode): MdastNode[] {
  const [first, ...others] = children
  const mark: MdastNode = { type: 'text', value: `[^${label}]: ` }
  if (first?.type !== 'paragraph') return [{ type: 'paragraph', children: [mark] }, ...children]
  return [{ ...first, children: [mark, ...(first.children ?? [])] }, ...others]
}

interface SyntaxData {
  micromarkExtensions?: unknown[]
  fromMarkdownExtensions?: unknown[]
}

const equalsSign = 61

/** GFM, read only: remark-gfm would also load the writer. */
function markdownSyntax(this: unknown, { rules }: { rules: MarkdownRules }) {
  const data = (this as { data(): SyntaxData }).data()
  const disabledConstructs = [
    ...(rules.typedLines ? [setextUnderline.name] : []),
    ...(rules.indentedCode ? [] : ['codeIndented']),
  ]
  // Below a typed line, `---` is a rule; `===` can only be a heading.
  const flow = rules.typedLines ? { [equalsSign]: { ...setextUnderline, name: 'equalsUnderline' } } : {}
  data.micromarkExtensions = [
    ...(data.micromarkExtensions ?? []),
    // Models write "5~7" for a range.
    gfm({ singleTilde: false }),
    { flow, disable: { null: disabledConstructs } },
  ]
  data.fromMarkdownExtensions = [...(data.fromMarkdownExtensions ?? []), gfmFromMarkdown()]
}

const unsplitTags = ['code', 'pre', 'a']

function addNoteMarks(numbers: number[]) {
  return () => (tree: HastNode) => markNode(tree, numbers)
}

function markNode(node: HastNode, numbers: number[]): void {
  if (!node.children || unsplitTags.includes(node.tagName ?? '')) return
  node.children = node.children.flatMap((child) => {
    if (child.type === 'text') return markText(child.value ?? '', numbers)
    markNode(child, numbers)
    return child
  })
}

function markText(text: string, numbers: number[]): HastNode[] {
  return text.split(/(\[\d{1,3}\])/).flatMap((part): HastNode[] => {
    const noteNumber = Number(/^\[(\d+)\]$/.exec(part)?.[1])
    if (numbers.includes(noteNumber)) {
      const value = String(noteNumber)
      return [{ type: 'element', tagName: 'sup', properties: { dataNote: value }, children: [{ type: 'text', value }] }]
    }
    return part === '' ? [] : [{ type: 'text', value: part }]
  })
}

const FrontMatter = lazy(() => import('./front-matter-table.tsx'))

export interface MarkdownTextProps {
  text: string
  author: TextAuthor
  streaming: boolean
  notes?: Notes | undefined
}

export interface Notes {
  prefix: string
  numbers: number[]
  /** Paths of the quoted words, by source number. */
  quoteAddresses?: ReadonlyMap<number, string>
}

/**
 * Safe for untrusted text: no HTML but formatting, no external images, links only to web and mail with their host
 * shown.
 */
export default function MarkdownText({ text, author, streaming, notes }: MarkdownTextProps) {
  const textId = useId()
  const [frontMatter, body] = author === 'document' ? splitFrontMatter(text) : ['', text]
  const blocks = streaming || isTooMuchMarkup(body) ? mergeShortBlocks(splitMarkdownBlocks(body)) : [body]
  const numbers = notes?.numbers.join(' ') ?? ''
  return (
    <NotePrefixContext value={notes?.prefix ?? ''}>
      <QuoteAddressesContext value={notes?.quoteAddresses ?? noQuoteAddresses}>
        <AuthorContext value={author}>
          <div dir="auto" className="flex min-w-0 flex-col gap-3">
            {frontMatter !== '' && (
              <Suspense fallback={null}>
                <FrontMatter source={frontMatter} />
              </Suspense>
            )}
            {blocks.map((block, index) => (
              <Block
                // biome-ignore lint/suspicious/noArrayIndexKey: a finished block stays in its place
                key={index}
                id={`text-${textId}-${index}-`}
                text={block}
                isGrowing={streaming && index === blocks.length - 1}
                numbers={numbers}
              />
            ))}
          </div>
        </AuthorContext>
      </QuoteAddressesContext>
    </NotePrefixContext>
  )
}

const noQuoteAddresses: ReadonlyMap<number, string> = new Map()

interface BlockProps {
  /** Prefix of the ids of its elements. */
  id: string
  text: string
  isGrowing: boolean
  /** Joined to a string, so that equal lists are memoized. */
  numbers: string
}

const Block = memo(function Block(props: BlockProps) {
  if (isTooMuchMarkup(props.text)) return <p className="wrap-break-word whitespace-pre-wrap">{props.text}</p>
  return <MarkdownBlock {...props} />
})

function MarkdownBlock({ id, text, isGrowing, numbers }: BlockProps) {
  const author = use(AuthorContext)
  const plugins = useMemo((): NonNullable<Options['rehypePlugins']> => {
    const marks = numbers === '' ? [] : [addNoteMarks(numbers.split(' ').map(Number))]
    return [sanitizePlugin, [addTextAnchors, { prefix: id }], ...marks, ...(isGrowing ? [fadeLastWords] : [])]
  }, [id, isGrowing, numbers])
  return (
    <Markdown
      remarkPlugins={remarkPlugins[author]}
      remarkRehypeOptions={remarkRehypeOptions}
      rehypePlugins={plugins}
      urlTransform={urlTransforms[author]}
      components={components}
    >
      {isGrowing ? removePartialFormula(text) : text}
    </Markdown>
  )
}

function createByAuthor<Value>(create: (author: TextAuthor) => Value): Record<TextAuthor, Value> {
  return {
    reader: create('reader'),
    person: create('person'),
    agent: create('agent'),
    document: create('document'),
  }
}

const remarkPlugins = createByAuthor((author): NonNullable<Options['remarkPlugins']> => {
  const options = { rules: markdownRules[author] }
  return [
    [markdownSyntax, options],
    [formulaSyntax, options],
    [showTypedDefinitions, options],
    [convertHtml, options],
  ]
})
const urlTransforms = createByAuthor(
  (author) => (address: string) => (isSafeAddress(address, markdownRules[author]) ? address : ''),
)
// The text variant of the arrow, which is an emoji on some systems.
const remarkRehypeOptions = { clobberPrefix: '', footnoteBackContent: '↩\uFE0E' }

const sanitizeSchema = {
  ...defaultSchema,
  tagNames: defaultSchema.tagNames
    ?.filter((tag) => !['img', 'picture', 'source'].includes(tag))
    .concat('img', 'mark', 'u'),
  protocols: { ...defaultSchema.protocols, href: ['http', 'https', 'mailto'], src: [] },
  // `addTextAnchors` prefixes every id.
  clobberPrefix: '',
}
const sanitizePlugin: [typeof rehypeSanitize, typeof sanitizeSchema] = [rehypeSanitize, sanitizeSchema]
