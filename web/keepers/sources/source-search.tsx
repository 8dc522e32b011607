import { ChevronDown, ChevronUp } from 'lucide-react'
import { type RefObject, useEffect, useMemo, useState } from 'react'
import type { Source } from '#contract/keepers/sources.ts'
import { IconButton } from '#web/ui/controls/icon-button.tsx'
import { SearchField } from '#web/ui/fields/search-field.tsx'
import { pluralize } from '#web/ui/text/pluralize.ts'

const highlightName = 'source-words'
const maxMarks = 2000
let hasStyles = false

interface Position {
  node: Node
  offset: number
}

/** Marks text of messages without changing the page; browsers without custom highlights show it unmarked. Case and
 * white space don't matter. @returns the first mark */
function markWords(root: ParentNode, words: string): Range | undefined {
  const ranges = findWords(root, words)
  if ('highlights' in CSS) {
    if (!hasStyles) addStyles()
    if (ranges.length === 0) CSS.highlights.delete(highlightName)
    else CSS.highlights.set(highlightName, new Highlight(...ranges))
  }
  return ranges[0]
}

function findWords(root: ParentNode, words: string): Range[] {
  const searched = collapse(words)
  if (searched === '') return []
  const ranges: Range[] = []
  for (const message of root.querySelectorAll('[data-message]')) {
    // Line breaks of drawn pages aren't in `textContent`.
    const isCandidate = message.querySelector('br') !== null || collapse(message.textContent ?? '').includes(searched)
    if (!isCandidate) continue
    const { text, starts } = readText(message)
    for (
      let index = text.indexOf(searched);
      index >= 0 && ranges.length < maxMarks;
      index = text.indexOf(searched, index + 1)
    ) {
      const [start, last] = [starts[index], starts[index + searched.length - 1]]
      if (!start || !last) break
      const range = new Range()
      range.setStart(start.node, start.offset)
      range.setEnd(last.node, last.offset + 1)
      ranges.push(range)
    }
  }
  return ranges
}

const collapse = (text: string) => text.toLowerCase().replace(/\s+/g, ' ').trim()

/** With white space and line breaks collapsed across elements. */
function readText(message: Element): { text: string; starts: Position[] } {
  const starts: Position[] = []
  const characters: string[] = []
  const nodes = document.createTreeWalker(message, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT)
  for (let node = nodes.nextNode(); node; node = nodes.nextNode()) {
    const content = node instanceof Text ? node.data : node.nodeName === 'BR' ? '\n' : ''
    for (let offset = 0; offset < content.length; offset += 1) {
      const character = content.charAt(offset)
      const isBlank = /\s/.test(character)
      if (isBlank && characters.at(-1) === ' ') continue
      // Lowering the case can change the length of a text.
      for (const lower of isBlank ? ' ' : character.toLowerCase()) {
        characters.push(lower)
        starts.push({ node, offset })
      }
    }
  }
  return { text: characters.join(''), starts }
}

/** Added at run time, because the CSS build doesn't support this selector yet. */
function addStyles(): void {
  const styles = new CSSStyleSheet()
  styles.replaceSync(`
    ::highlight(${highlightName}) { background-color: var(--k-ribbon-soft); color: var(--k-ribbon-text) }
    .pdf-text ::highlight(${highlightName}) { background-color: color-mix(in srgb, var(--k-ribbon) 40%, transparent); color: transparent }
  `)
  document.adoptedStyleSheets.push(styles)
  hasStyles = true
}

interface SourceSearchProps {
  source: Source
  listRef: RefObject<HTMLElement | null>
  /** These words are marked until the person searches. */
  openedWords: string
  onOpen: (messageId: string) => void
}

/** Finds messages of all branches and marks the words where the browser can. */
export function SourceSearch({ source, listRef, openedWords, onOpen }: SourceSearchProps) {
  const [search, setSearch] = useState('')
  const [position, setPosition] = useState(-1)
  const words = search.trim().toLowerCase()
  const matches = useMemo(
    () => (words === '' ? [] : source.messages.filter(({ text }) => text.toLowerCase().includes(words))),
    [source.messages, words],
  )
  useMarkedWords(listRef, words === '' ? openedWords : words, words === '')

  function step(by: number) {
    const next = (Math.max(position, by > 0 ? -1 : 0) + by + matches.length) % matches.length
    const message = matches[next]
    if (!message) return
    setPosition(next)
    onOpen(message.id)
  }

  return (
    <search data-chrome className="mb-6 flex flex-wrap items-center gap-2">
      <div className="w-full max-w-[22rem]">
        <SearchField
          label={source.kind === 'conversation' ? 'Search this conversation' : 'Search this document'}
          value={search}
          maxLength={200}
          onValueChange={(value) => {
            setSearch(value)
            setPosition(-1)
          }}
        />
      </div>
      {words !== '' && (
        <>
          <span role="status" className="text-small text-muted-foreground">
            {matches.length > 0 && position >= 0
              ? `${position + 1} of ${matches.length}`
              : matches.length > 0
                ? pluralize(matches.length, source.kind === 'conversation' ? 'message' : 'part')
                : 'Not found'}
          </span>
          <IconButton label="Previous match" disabled={matches.length === 0} onClick={() => step(-1)}>
            <ChevronUp aria-hidden size={16} />
          </IconButton>
          <IconButton label="Next match" disabled={matches.length === 0} onClick={() => step(1)}>
            <ChevronDown aria-hidden size={16} />
          </IconButton>
        </>
      )}
    </search>
  )
}

/** Marks words while they are shown. @param scrollsTo shows the first mark once, when it is far down a page */
function useMarkedWords(listRef: RefObject<HTMLElement | null>, words: string, scrollsTo: boolean): void {
  useEffect(() => {
    const list = listRef.current
    if (!list || words === '') return
    let hasScrolled = !scrollsTo
    const update = () => {
      const first = markWords(list, words)
      if (!first || hasScrolled) return
      hasScrolled = true
      // After the page has scrolled to the opened message.
      requestAnimationFrame(() => {
        const { top, bottom } = first.getBoundingClientRect()
        if (top < 0 || bottom > innerHeight) scrollBy({ top: top - innerHeight / 2 })
      })
    }
    update()
    // Messages appear when Markdown has loaded, more are shown or another branch is chosen.
    const observer = new MutationObserver(update)
    observer.observe(list, { childList: true, subtree: true })
    return () => {
      observer.disconnect()
      markWords(list, '')
    }
  }, [listRef, words, scrollsTo])
}
