import {
  type ComponentProps,
  createContext,
  type ReactNode,
  use,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import type { Components, ExtraProps } from 'react-markdown'
import { Link } from 'react-router'
import { CopyButton } from '#web/ui/controls/copy-button.tsx'
import { classNames } from '#web/ui/hooks/class-names.ts'
import { Diagram } from './diagram/diagram.tsx'
import { isEntryPath } from './link-address.ts'
import { OnCustomHostContext } from './on-custom-host.ts'
import type { TextAuthor } from './text-author.ts'

/** From this length, the query, fragment or path of a URL can leak private text. */
const minCarriedLength = 40
const maxPathLength = 80

/** @returns text like `leads to evil.example`; undefined if the link text already shows the target, null if it can't be opened */
export function describeLinkTarget(href: string, text: string): string | null | undefined {
  const url = URL.parse(href)
  if (!url) return null
  const isMail = url.protocol === 'mailto:'
  const path = decode(url.pathname)
  const host = isMail ? getMailHost(path) : url.host
  const target = isMail ? `${path.slice(0, path.lastIndexOf('@') + 1)}${host}` : host
  const carriedLength =
    getDecodedLength(url.search + url.hash) + (!isMail && path.length > maxPathLength ? getDecodedLength(path) : 0)
  const carriesData = carriedLength >= minCarriedLength || (isMail && url.search !== '')
  if (!carriesData && isUrlOfLink(url, text.trim(), target)) return undefined
  const isMisleading = !isMail && /[^\s.]\.[^\s.]/.test(text) && !text.includes(host)
  const destination = isMisleading ? `leads to ${target}` : target
  return carriesData ? `${destination}, sends ${carriedLength.toLocaleString('en-US')} characters` : destination
}

/** Exact ASCII match, since letters of other scripts can imitate a known host. */
function isUrlOfLink(url: URL, text: string, target: string): boolean {
  if (!/^[\x21-\x7e]+$/.test(text) || url.username || url.password) return false
  if (text === target) return true
  if (url.protocol === 'mailto:') return false
  return URL.parse(/^https?:\/\//i.test(text) ? text : `${url.protocol}//${text}`)?.href === url.href
}

/** In ASCII, as mail programs resolve it. */
function getMailHost(address: string): string {
  const host = address.slice(address.lastIndexOf('@') + 1)
  return URL.parse(`http://${host}`)?.hostname || host
}

const getDecodedLength = (text: string) => [...decode(text)].length - (/^[?#]/.test(text) ? 1 : 0)

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

type RenderFormula = (source: string, containerRef: HTMLElement) => boolean
let loadedRender: RenderFormula | undefined

async function loadRender(): Promise<RenderFormula> {
  loadedRender ??= (await import('./render-formula.ts')).renderFormula
  return loadedRender
}

/** Shows the source until the renderer is loaded, or if rendering fails. */
function Formula({ source }: { source: string }) {
  const containerRef = useRef<HTMLSpanElement>(null)
  const [renderFormula, setRenderFormula] = useState(() => loadedRender)
  const [failedSource, setFailedSource] = useState<string>()
  useEffect(() => {
    loadRender().then(
      (loaded) => setRenderFormula(() => loaded),
      // Offline it shows the source; the next formula retries.
      () => undefined,
    )
  }, [])
  useLayoutEffect(() => {
    if (renderFormula && containerRef.current && !renderFormula(source, containerRef.current)) setFailedSource(source)
  }, [renderFormula, source])
  if (!renderFormula || failedSource === source)
    return (
      <span dir="ltr" className="wrap-anywhere whitespace-pre-wrap">
        {source}
      </span>
    )
  return <span ref={containerRef} dir="ltr" data-formula={source} />
}

/** Prefix of the ids of footnotes, unique on the page. */
export const NotePrefixContext = createContext('')
/** Paths of quoted entries by footnote number. */
export const QuoteAddressesContext = createContext<ReadonlyMap<number, string>>(new Map())
export const AuthorContext = createContext<TextAuthor>('agent')

type ElementProps<Tag extends 'a' | 'img' | 'pre' | 'code' | 'table' | 'input' | 'sup' | 'section' | 'h2'> =
  ComponentProps<Tag> & ExtraProps

const linkClasses = 'rounded-xs underline decoration-input underline-offset-[3px] hover:decoration-current'

function Anchor({ href, children, node, id, 'aria-label': ariaLabel, ...props }: ElementProps<'a'>) {
  const author = use(AuthorContext)
  if (href?.startsWith('#'))
    return (
      <FragmentLink href={href} id={id} aria-label={ariaLabel} aria-describedby={props['aria-describedby']}>
        {children}
      </FragmentLink>
    )
  if (href && isEntryPath(href))
    return (
      <Link to={href} className={linkClasses}>
        {children}
      </Link>
    )
  const target = href && node ? describeLinkTarget(href, getNodeText(node)) : null
  if (!href || target === null)
    return (
      <span id={id} tabIndex={id ? -1 : undefined}>
        {children}
      </span>
    )
  // A link without text or picture shows its address, because it would be invisible otherwise.
  const isUnlabeled = node && getNodeText(node).trim() === '' && !hasPicture(node)
  return (
    <>
      <a href={href} target="_blank" rel="noopener noreferrer nofollow ugc" className={linkClasses}>
        {isUnlabeled ? href : children}
      </a>
      {/* People know the links that they wrote themselves. */}
      {target !== undefined && author !== 'reader' && (
        <bdi dir="ltr" className="ms-1 font-sans text-small wrap-anywhere text-muted-foreground select-none">
          ({target})
        </bdi>
      )}
    </>
  )
}

/** Scrolls to another part of the text without changing the URL, which contains the session. */
function FragmentLink({ href, className, ...props }: ComponentProps<'a'> & { href: string }) {
  return (
    <a
      href={href}
      {...props}
      onClick={(event) => {
        event.preventDefault()
        const target = document.getElementById(href.slice(1))
        target?.focus({ preventScroll: true })
        target?.scrollIntoView({ block: 'center' })
      }}
      className={classNames(linkClasses, className)}
    />
  )
}

const noteClasses = 'px-0.5 font-sans text-[0.6875rem] font-semibold text-ribbon-text no-underline hover:underline'

function NoteMark({ children, node }: ElementProps<'sup'>) {
  const prefix = use(NotePrefixContext)
  const quoteAddresses = use(QuoteAddressesContext)
  const isOnCustomHost = use(OnCustomHostContext)
  const noteNumber = Number(node?.properties.dataNote)
  if (!noteNumber) return <sup className="leading-none">{children}</sup>
  const quoteAddress = quoteAddresses.get(noteNumber)
  const linkProps = { 'aria-label': `Source ${noteNumber}`, className: noteClasses, children }
  return (
    <sup className="ms-px leading-none">
      {quoteAddress && !isOnCustomHost ? (
        <Link to={quoteAddress} {...linkProps} />
      ) : (
        <FragmentLink href={`#${prefix}-${noteNumber}`} {...linkProps} />
      )}
    </sup>
  )
}

/** The footnotes of a text. */
function NoteSection({ children }: ElementProps<'section'>) {
  return <section className="mt-2 border-t border-border pt-3 text-[0.85em] leading-normal">{children}</section>
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
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard
        tabIndex={0}
        className="max-h-[28rem] overflow-auto rounded-md border border-border bg-muted py-2.5 ps-3.5 pe-[2.75rem] font-mono text-code *:bg-transparent *:p-0 *:text-code focus-visible:-outline-offset-2"
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

function CodeText({ children, node, className }: ElementProps<'code'>) {
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

const hasPicture = (node: Node): boolean =>
  node.children.some((child) => child.type === 'element' && (child.tagName === 'img' || hasPicture(child)))

type Node = NonNullable<ExtraProps['node']>
function getNodeText(node: Node): string {
  return node.children
    .map((child) => {
      if (child.type === 'text') return child.value
      return child.type === 'element' ? getNodeText(child) : ''
    })
    .join('')
}

interface StyledProps {
  children?: ReactNode
  start?: number
  /** Set if links within the text point here. */
  id?: string
  tabIndex?: number
  node?: Node
}

/** Years and other long numbers need more space than the indent of a list. */
function getNumbering(start: number | undefined, nodeCount = 0) {
  // Every second node is a line break.
  const itemCount = Math.ceil(nodeCount / 2)
  const digitCount = String((start ?? 1) + itemCount).length
  const style = digitCount > 2 ? { style: { paddingInlineStart: `${digitCount + 1.5}ch` } } : {}
  return start === undefined ? style : { start, ...style }
}

function createStyled(
  Tag: 'p' | 'h3' | 'h4' | 'ul' | 'ol' | 'blockquote' | 'hr' | 'th' | 'td' | 'strong' | 'mark' | 'kbd',
  className: string,
) {
  return function Styled({ children, id, tabIndex, node, ...elementProps }: StyledProps) {
    const start = Tag === 'ol' ? getNumbering(elementProps.start, node?.children.length) : {}
    // List markers follow the direction of the text.
    const dir = ['ul', 'ol', 'blockquote'].includes(Tag) ? { dir: 'auto' } : {}
    return Tag === 'hr' ? (
      <hr className={className} />
    ) : (
      <Tag {...start} {...dir} id={id} tabIndex={tabIndex} className={className}>
        {children}
      </Tag>
    )
  }
}

function SecondLevelHeading({ className, ...props }: ElementProps<'h2'>) {
  // The generated heading above footnotes is for screen readers.
  if (className !== 'sr-only') return title(props)
  return (
    <h3 id={props.id} className="sr-only">
      {props.children}
    </h3>
  )
}

const title = createStyled('h3', 'mt-2 text-[1.25rem] leading-[1.6875rem] font-semibold first:mt-0')
const minorHeading = createStyled('h4', 'mt-1 font-semibold first:mt-0')
export const components: Components = {
  a: Anchor,
  img: PicturePlaceholder,
  pre: FencedCode,
  sup: NoteMark,
  section: NoteSection,
  p: createStyled('p', 'wrap-break-word'),
  strong: createStyled('strong', 'font-semibold'),
  h1: title,
  h2: SecondLevelHeading,
  h3: minorHeading,
  h4: minorHeading,
  h5: minorHeading,
  h6: minorHeading,
  ul: createStyled('ul', 'flex list-disc flex-col gap-1 ps-6 marker:text-muted-foreground [&_ul]:mt-1'),
  ol: createStyled('ol', 'flex list-decimal flex-col gap-1 ps-6 marker:text-muted-foreground [&_ol]:mt-1'),
  blockquote: createStyled('blockquote', 'flex flex-col gap-3 border-s-2 border-border ps-4 italic'),
  hr: createStyled('hr', 'my-2 border-border'),
  code: CodeText,
  mark: createStyled('mark', 'rounded-xs bg-ribbon-soft px-px text-foreground'),
  kbd: createStyled('kbd', 'rounded-xs border border-border bg-muted px-1 font-mono text-[0.8em]'),
  table: ({ children }: ElementProps<'table'>) => (
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
  th: createStyled('th', 'border-b border-border px-2.5 py-1.5 text-start font-label'),
  td: createStyled('td', 'border-b border-hairline px-2.5 py-1.5 align-top'),
  input: ({ checked }: ElementProps<'input'>) => (
    <input type="checkbox" checked={checked ?? false} readOnly disabled className="me-1.5 align-middle" />
  ),
}
