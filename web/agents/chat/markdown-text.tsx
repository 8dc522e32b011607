import { type ComponentProps, createContext, memo, type ReactNode, use, useMemo } from 'react'
import Markdown, { type Components, type ExtraProps, type Options } from 'react-markdown'
import rehypeSanitize, { defaultSchema } from 'rehype-sanitize'
import remarkGfm from 'remark-gfm'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { Diagram } from './diagram/diagram.tsx'
import { fadeWords } from './fade-words.ts'
import { Formula } from './formula.tsx'
import { formulaSyntax } from './formula-syntax.ts'
import { withoutHalfFormula } from './formula-text.ts'
import { htmlAsText } from './html-as-text.ts'
import { describeLinkTarget } from './link-target.ts'
import { markdownBlocks, readTogether } from './markdown-blocks.ts'
import { noteMarks } from './note-marks.ts'
import { isTooMuchMarkup } from './too-much-markup.ts'

export interface MarkdownTextProps {
  text: string
  streaming: boolean
  notes?: Notes | undefined
  /** Written by the reader, so link targets aren't shown. */
  own?: boolean
  commonMark?: boolean
}

export interface Notes {
  prefix: string
  numbers: number[]
}
const NotePrefix = createContext('')
const IsOwn = createContext(false)
const IsCommonMark = createContext(false)

/**
 * Safe Markdown for agent text: HTML as text, no external images, links only to web and mail with their host shown.
 * Blocks with too much markup are shown as source. Loaded lazily.
 */
export default function MarkdownText({ text, streaming, notes, own = false, commonMark = false }: MarkdownTextProps) {
  const blocks = streaming || isTooMuchMarkup(text) ? readTogether(markdownBlocks(text)) : [text]
  const numbers = notes?.numbers.join(' ') ?? ''
  return (
    <NotePrefix value={notes?.prefix ?? ''}>
      <IsOwn value={own}>
        <IsCommonMark value={commonMark}>
          <div className="flex min-w-0 flex-col gap-3">
            {blocks.map((block, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a finished block stays in its place
              <Block key={index} text={block} growing={streaming && index === blocks.length - 1} numbers={numbers} />
            ))}
          </div>
        </IsCommonMark>
      </IsOwn>
    </NotePrefix>
  )
}

interface BlockProps {
  text: string
  growing: boolean
  /** Joined to a string, so that equal lists are memoized. */
  numbers: string
}

const Block = memo(function Block(props: BlockProps) {
  if (isTooMuchMarkup(props.text)) return <p className="wrap-break-word whitespace-pre-wrap">{props.text}</p>
  return <MarkdownBlock {...props} />
})

function MarkdownBlock({ text, growing, numbers }: BlockProps) {
  const commonMark = use(IsCommonMark)
  const plugins = useMemo(() => {
    const marks = numbers === '' ? [] : [noteMarks(numbers.split(' ').map(Number))]
    return growing ? [safe, ...marks, fadeWords] : [safe, ...marks]
  }, [growing, numbers])
  return (
    <Markdown
      remarkPlugins={commonMark ? asDocument : asMessage}
      rehypePlugins={plugins}
      urlTransform={safeAddress}
      components={components}
    >
      {growing ? withoutHalfFormula(text) : text}
    </Markdown>
  )
}

const readers = (commonMark: boolean): NonNullable<Options['remarkPlugins']> => [
  // Models write "5~7" for a range.
  [remarkGfm, { singleTilde: false }],
  [formulaSyntax, { commonMark }],
  [htmlAsText, { commonMark }],
]
const asMessage = readers(false)
const asDocument = readers(true)

const schema = {
  ...defaultSchema,
  tagNames: defaultSchema.tagNames?.filter((tag) => !['img', 'picture', 'source'].includes(tag)).concat('img'),
  protocols: { ...defaultSchema.protocols, href: ['http', 'https', 'mailto'], src: [] },
}
const safe: [typeof rehypeSanitize, typeof schema] = [rehypeSanitize, schema]

/** Absolute URLs only: `//host` and `/path` can mislead in untrusted text. */
function safeAddress(address: string): string {
  return /^(https?:\/\/|mailto:)/i.test(address) ? address : ''
}

type Given<Tag extends 'a' | 'img' | 'pre' | 'code' | 'table' | 'input' | 'sup'> = ComponentProps<Tag> & ExtraProps

function Anchor({ href, children, node }: Given<'a'>) {
  const own = use(IsOwn)
  const target = href && node ? describeLinkTarget(href, textOf(node)) : null
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
      {target !== undefined && !own && (
        <bdi dir="ltr" className="ms-1 font-sans text-small wrap-anywhere text-muted-foreground select-none">
          ({target})
        </bdi>
      )}
    </>
  )
}

/** Focuses the footnote without changing the address, which holds the session. */
function NoteMark({ children, node }: Given<'sup'>) {
  const prefix = use(NotePrefix)
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

function NoPicture({ alt }: Given<'img'>) {
  return <span className="font-sans text-small text-muted-foreground">[picture{alt ? `: ${alt}` : ''}]</span>
}

function Code({ children, node }: Given<'pre'>) {
  const inner = node?.children[0]
  const text = inner?.type === 'element' ? textOf(inner) : ''
  const isDiagram = inner?.type === 'element' && String(inner.properties.className) === 'language-mermaid'
  return (
    <div className="relative min-w-0">
      <pre
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard
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

function CodeInWords({ children, node, className }: Given<'code'>) {
  if (className === 'language-formula' && node) return <Formula source={textOf(node)} />
  // Block code sets direction per line; inline code must not affect its paragraph's direction.
  const isInWords = node !== undefined && !textOf(node).includes('\n')
  return (
    <code
      dir={isInWords ? 'ltr' : undefined}
      className="rounded-xs bg-muted px-1 py-0.5 font-mono text-[0.8em] wrap-break-word"
    >
      {children}
    </code>
  )
}

type Node = NonNullable<ExtraProps['node']>
function textOf(node: Node): string {
  return node.children
    .map((child) => (child.type === 'text' ? child.value : child.type === 'element' ? textOf(child) : ''))
    .join('')
}

function styled(
  Tag: 'p' | 'h3' | 'h4' | 'ul' | 'ol' | 'blockquote' | 'hr' | 'th' | 'td' | 'strong',
  className: string,
) {
  return function Styled({ children, ...given }: { children?: ReactNode; start?: number }) {
    const start = Tag === 'ol' && given.start !== undefined ? { start: given.start } : {}
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

const title = styled('h3', 'mt-2 text-[20px] leading-[27px] font-semibold first:mt-0')
const smallTitle = styled('h4', 'mt-1 font-semibold first:mt-0')
const components: Components = {
  a: Anchor,
  img: NoPicture,
  pre: Code,
  sup: NoteMark,
  p: styled('p', 'wrap-break-word'),
  strong: styled('strong', 'font-semibold'),
  h1: title,
  h2: title,
  h3: smallTitle,
  h4: smallTitle,
  h5: smallTitle,
  h6: smallTitle,
  ul: styled('ul', 'flex list-disc flex-col gap-1 ps-6 marker:text-muted-foreground [&_ul]:mt-1'),
  ol: styled('ol', 'flex list-decimal flex-col gap-1 ps-6 marker:text-muted-foreground [&_ol]:mt-1'),
  blockquote: styled('blockquote', 'flex flex-col gap-3 border-s-2 border-border ps-4 italic'),
  hr: styled('hr', 'my-2 border-border'),
  code: CodeInWords,
  table: ({ children }: Given<'table'>) => (
    <section
      aria-label="Table"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard
      tabIndex={0}
      className="overflow-x-auto rounded-xs"
    >
      <table dir="auto" className="w-full border-collapse font-sans text-ui">
        {children}
      </table>
    </section>
  ),
  th: styled('th', 'border-b border-border px-2.5 py-1.5 text-start font-label'),
  td: styled('td', 'border-b border-hairline px-2.5 py-1.5 align-top'),
  input: ({ checked }: Given<'input'>) => (
    <input type="checkbox" checked={checked ?? false} readOnly disabled className="me-1.5 align-middle" />
  ),
}
