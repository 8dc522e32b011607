import { lazy, memo, Suspense, use, useId, useMemo } from 'react'
import Markdown, { type Options } from 'react-markdown'
import rehypeSanitize, { defaultSchema } from 'rehype-sanitize'
import { isTooMuchMarkup } from '#contract/too-much-markup.ts'
import { convertHtml } from './convert-html.ts'
import { fadeLastWords } from './fade-words.ts'
import { formulaSyntax } from './formula-syntax.ts'
import { removePartialFormula } from './formula-text.ts'
import { splitFrontMatter } from './front-matter.ts'
import { isSafeAddress } from './link-address.ts'
import { mergeShortBlocks, splitMarkdownBlocks } from './markdown-blocks.ts'
import { AuthorContext, components, NotePrefix, QuoteAddresses } from './markdown-components.tsx'
import { markdownSyntax } from './markdown-syntax.ts'
import { addNoteMarks } from './note-marks.ts'
import { addTextAnchors } from './text-anchors.ts'
import { type TextAuthor, textRules } from './text-author.ts'
import { showTypedDefinitions } from './typed-definitions.ts'

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
  quotes?: ReadonlyMap<number, string>
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
    <NotePrefix value={notes?.prefix ?? ''}>
      <QuoteAddresses value={notes?.quotes ?? noQuotes}>
        <AuthorContext value={author}>
          <div className="flex min-w-0 flex-col gap-3">
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
                growing={streaming && index === blocks.length - 1}
                numbers={numbers}
              />
            ))}
          </div>
        </AuthorContext>
      </QuoteAddresses>
    </NotePrefix>
  )
}

const noQuotes: ReadonlyMap<number, string> = new Map()

interface BlockProps {
  /** Prefix of the ids of its elements. */
  id: string
  text: string
  growing: boolean
  /** Joined to a string, so that equal lists are memoized. */
  numbers: string
}

const Block = memo(function Block(props: BlockProps) {
  if (isTooMuchMarkup(props.text)) return <p className="wrap-break-word whitespace-pre-wrap">{props.text}</p>
  return <MarkdownBlock {...props} />
})

function MarkdownBlock({ id, text, growing, numbers }: BlockProps) {
  const author = use(AuthorContext)
  const plugins = useMemo((): NonNullable<Options['rehypePlugins']> => {
    const marks = numbers === '' ? [] : [addNoteMarks(numbers.split(' ').map(Number))]
    return [sanitizePlugin, [addTextAnchors, { prefix: id }], ...marks, ...(growing ? [fadeLastWords] : [])]
  }, [id, growing, numbers])
  return (
    <Markdown
      remarkPlugins={remarkPlugins[author]}
      remarkRehypeOptions={remarkRehypeOptions}
      rehypePlugins={plugins}
      urlTransform={urlTransforms[author]}
      components={components}
    >
      {growing ? removePartialFormula(text) : text}
    </Markdown>
  )
}

function byAuthor<Value>(create: (author: TextAuthor) => Value): Record<TextAuthor, Value> {
  return {
    reader: create('reader'),
    person: create('person'),
    agent: create('agent'),
    document: create('document'),
  }
}

const remarkPlugins = byAuthor((author): NonNullable<Options['remarkPlugins']> => {
  const options = { rules: textRules[author] }
  return [
    [markdownSyntax, options],
    [formulaSyntax, options],
    [showTypedDefinitions, options],
    [convertHtml, options],
  ]
})
const urlTransforms = byAuthor(
  (author) => (address: string) => (isSafeAddress(address, textRules[author]) ? address : ''),
)
// The text variant of the arrow, which is an emoji on some systems.
const remarkRehypeOptions = { clobberPrefix: '', footnoteBackContent: '↩\uFE0E' }

const schema = {
  ...defaultSchema,
  tagNames: defaultSchema.tagNames
    ?.filter((tag) => !['img', 'picture', 'source'].includes(tag))
    .concat('img', 'mark', 'u'),
  protocols: { ...defaultSchema.protocols, href: ['http', 'https', 'mailto'], src: [] },
  // `addTextAnchors` prefixes every id.
  clobberPrefix: '',
}
const sanitizePlugin: [typeof rehypeSanitize, typeof schema] = [rehypeSanitize, schema]
