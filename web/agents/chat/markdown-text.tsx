import { type ComponentProps, createContext, memo, type ReactNode, use, useMemo } from 'react'
import Markdown, { type Components, type ExtraProps, type Options } from 'react-markdown'
import rehypeSanitize, { defaultSchema } from 'rehype-sanitize'
import remarkGfm from 'remark-gfm'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { Diagram } from './diagram/diagram.tsx'
import { fadeLastWords } from './fade-words.ts'
import { Formula } from './formula.tsx'
import { formulaSyntax } from './formula-syntax.ts'
import { removePartialFormula } from './formula-text.ts'
import { convertHtmlToText } from './html-as-text.ts'
import { describeLinkTarget } from './link-target.ts'
import { mergeShortBlocks, splitMarkdownBlocks } from './markdown-blocks.ts'
import { addNoteMarks } from './note-marks.ts'
import { isTooMuchMarkup } from './too-much-markup.ts'

export interface MarkdownTextProps {
  text: string
  streaming: boolean
  notes?: Notes | undefined
  /** Written by the reader, so link targets aren't shown. */
  isOwnText?: boolean
  commonMark?: boolean
}

export interface Notes {
  prefix: string
  numbers: number[]
}
const NotePrefixContext = createContext('')
const IsOwnTextContext = createContext(false)
const IsCommonMarkContext = createContext(false)

/** Safe for untrusted text: HTML as text, no external images, links only to web and mail with their host shown. */
export default function MarkdownText({
  text,
  streaming,
  notes,
  isOwnText = false,
  commonMark = false,
}: MarkdownTextProps) {
  const blocks = streaming || isTooMuchMarkup(text) ? mergeShortBlocks(splitMarkdownBlocks(text)) : [text]
  const numbers = notes?.numbers.join(' ') ?? ''
  return (
    <NotePrefixContext value={notes?.prefix ?? ''}>
      <IsOwnTextContext value={isOwnText}>
        <IsCommonMarkContext value={commonMark}>
          <div className="flex min-w-0 flex-col gap-3">
            {blocks.map((block, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: finished blocks never move
              <Block key={index} text={block} growing={streaming && index === blocks.length - 1} numbers={numbers} />
            ))}
          </div>
        </IsCommonMarkContext>
      </IsOwnTextContext>
    </NotePrefixContext>
  )
}

interface MarkdownBlockProps {
  text: string
  growing: boolean
  /** Joined to a string, so that equal lists are memoized. */
  numbers: string
}

const Block = memo(function Block(props: MarkdownBlockProps) {
  if (isTooMuchMarkup(props.text)) return <p className="wrap-break-word whitespace-pre-wrap">{props.text}</p>
  return <MarkdownBlock {...props} />
})

function MarkdownBlock({ text, growing, numbers }: MarkdownBlockProps) {
  const commonMark = use(IsCommonMarkContext)
  const plugins = useMemo(() => {
    const marks = numbers === '' ? [] : [addNoteMarks(numbers.split(' ').map(Number))]
    return growing ? [sanitizePlugin, ...marks, fadeLastWords] : [sanitizePlugin, ...marks]
  }, [growing, numbers])
  return (
    <Markdown
      remarkPlugins={commonMark ? documentPlugins : messagePlugins}
      rehypePlugins={plugins}
      urlTransform={toSafeUrl}
      components={components}
    >
      {growing ? removePartialFormula(text) : text}
    </Markdown>
  )
}

const getRemarkPlugins = (commonMark: boolean): NonNullable<Options['remarkPlugins']> => [
  // Models write "5~7" for a range.
  [remarkGfm, { singleTilde: false }],
  [formulaSyntax, { commonMark }],
  [convertHtmlToText, { commonMark }],
]
const messagePlugins = getRemarkPlugins(false)
const documentPlugins = getRemarkPlugins(true)

const sanitizeSchema = {
  ...defaultSchema,
  tagNames: defaultSchema.tagNames?.filter((tag) => !['img', 'picture', 'source'].includes(tag)).concat('img'),
  protocols: { ...defaultSchema.protocols, href: ['http', 'https', 'mailto'], src: [] },
}
const sanitizePlugin: [typeof rehypeSanitize, typeof sanitizeSchema] = [rehypeSanitize, sanitizeSchema]

/** Absolute URLs only: `//host` and `/path` can mislead in untrusted text. */
function toSafeUrl(address: string): string {
  return /^(https?:\/\/|mailto:)/i.test(address) ? address : ''
}

type ElementProps<Tag extends 'a' | 'img' | 'pre' | 'code' | 'table' | 'input' | 'sup'> = ComponentProps<Tag> &
  ExtraProps

function Anchor({ href, children, node }: ElementProps<'a'>) {
  const isOwnText = use(IsOwnTextContext)
  const target = href && node ? describeLinkTarget(href, getNodeText(node)) : null
  if (!href || target === null) return <span>{children}</span>
  return (
    <>
      <a
        href={href}
        target="_blank"
        rel="noopener noreferrer nofollow ugc"
        className="rounded-xs underline decoration-input underline-offset-[3px] hover:decoration-current"
      >
        {children}
      </a>
      {target !== undefined && !isOwnText && (
        <bdi dir="ltr" className="ms-1 font-sans text-small wrap-anywhere text-muted-foreground select-none">
          ({target})
        </bdi>
      )}
    </>
  )
}

/** Focuses the footnote without changing the address, which holds the session. */
function NoteMark({ children, node }: ElementProps<'sup'>) {
  const prefix = use(NotePrefixContext)
  const n = Number(node?.properties.dataNote)
  if (!n) return <sup>{children}</sup>
  const id = `${prefix}-${n}`
  return (
    <sup className="ms-px leading-none">
      <a
        href={`#${id}`}
        aria-label={`Source ${n}`}
        onClick={(event) => {
          event.preventDefault()
          document.getElementById(id)?.focus()
        }}
        className="rounded-xs px-0.5 font-sans text-[11px] font-semibold text-ribbon-text hover:underline"
      >
        {children}
      </a>
    </sup>
  )
}

function PicturePlaceholder({ alt }: ElementProps<'img'>) {
  return <span className="font-sans text-small text-muted-foreground">[picture{alt ? `: ${alt}` : ''}]</span>
}

function FencedCode({ children, node }: ElementProps<'pre'>) {
  const codeElement = node?.children[0]
  const text = codeElement?.type === 'element' ? getNodeText(codeElement) : ''
  const isDiagram = codeElement?.type === 'element' && String(codeElement.properties.className) === 'language-mermaid'
  return (
    <div className="relative min-w-0">
      <pre
        // biome-ignore lint/a11y/noNoninteractiveTabindex: scrolling must work by keyboard
        tabIndex={0}
        className="max-h-[28rem] overflow-auto rounded-md border border-border bg-muted py-2.5 ps-3.5 pe-11 font-mono text-code *:bg-transparent *:p-0 *:text-code focus-visible:-outline-offset-2"
      >
        {children}
      </pre>
      <div className="absolute end-1.5 top-1.5 rounded-sm bg-muted">
        <CopyButton text={text} label="Copy code" />
      </div>
      {isDiagram && <Diagram code={text} />}
    </div>
  )
}

function InlineCode({ children, node, className }: ElementProps<'code'>) {
  if (className === 'language-formula' && node) return <Formula source={getNodeText(node)} />
  // Block code sets direction per line; inline code must not affect its paragraph's direction.
  const isInline = node !== undefined && !getNodeText(node).includes('\n')
  return (
    <code
      dir={isInline ? 'ltr' : undefined}
      className="rounded-xs bg-muted px-1 py-0.5 font-mono text-[0.8em] wrap-break-word"
    >
      {children}
    </code>
  )
}

type HastElement = NonNullable<ExtraProps['node']>
function getNodeText(node: HastElement): string {
  return node.children
    .map((child) => (child.type === 'text' ? child.value : child.type === 'element' ? getNodeText(child) : ''))
    .join('')
}

function createStyled(
  Tag: 'p' | 'h3' | 'h4' | 'ul' | 'ol' | 'blockquote' | 'hr' | 'th' | 'td' | 'strong',
  className: string,
) {
  return function Styled({ children, ...elementProps }: { children?: ReactNode; start?: number }) {
    const start = Tag === 'ol' && elementProps.start !== undefined ? { start: elementProps.start } : {}
    // List markers follow the direction of the text.
    const dir = ['ul', 'ol', 'blockquote'].includes(Tag) ? { dir: 'auto' } : {}
    return Tag === 'hr' ? (
      <hr className={className} />
    ) : (
      <Tag {...start} {...dir} className={className}>
        {children}
      </Tag>
    )
  }
}

const title = createStyled('h3', 'mt-2 text-[20px] leading-[27px] font-semibold first:mt-0')
const smallTitle = createStyled('h4', 'mt-1 font-semibold first:mt-0')
const components: Components = {
  a: Anchor,
  img: PicturePlaceholder,
  pre: FencedCode,
  sup: NoteMark,
  p: createStyled('p', 'wrap-break-word'),
  strong: createStyled('strong', 'font-semibold'),
  h1: title,
  h2: title,
  h3: smallTitle,
  h4: smallTitle,
  h5: smallTitle,
  h6: smallTitle,
  ul: createStyled('ul', 'flex list-disc flex-col gap-1 ps-6 marker:text-muted-foreground [&_ul]:mt-1'),
  ol: createStyled('ol', 'flex list-decimal flex-col gap-1 ps-6 marker:text-muted-foreground [&_ol]:mt-1'),
  blockquote: createStyled('blockquote', 'flex flex-col gap-3 border-s-2 border-border ps-4 italic'),
  hr: createStyled('hr', 'my-2 border-border'),
  code: InlineCode,
  table: ({ children }: ElementProps<'table'>) => (
    <section
      aria-label="Table"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: scrolling must work by keyboard
      tabIndex={0}
      className="overflow-x-auto rounded-xs"
    >
      <table dir="auto" className="w-full border-collapse font-sans text-ui">
        {children}
      </table>
    </section>
  ),
  th: createStyled('th', 'border-b border-border px-2.5 py-1.5 text-start font-label'),
  td: createStyled('td', 'border-b border-hairline px-2.5 py-1.5 align-top'),
  input: ({ checked }: ElementProps<'input'>) => (
    <input type="checkbox" checked={checked ?? false} readOnly disabled className="me-1.5 align-middle" />
  ),
}
