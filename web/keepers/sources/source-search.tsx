import { ChevronDown, ChevronUp } from 'lucide-react'
import { type RefObject, useEffect, useMemo, useState } from 'react'
import type { Source } from '#contract/keepers/sources.ts'
import { IconButton } from '#web/ui/controls/icon-button.tsx'
import { SearchField } from '#web/ui/fields/search-field.tsx'
import { pluralize } from '#web/ui/text/pluralize.ts'

const highlightName = 'source-words'
const maxMarks = 2000
let hasStyles = false

interface TextPosition {
  node: Node
  offset: number
}

/** Highlights text in the messages, if the browser can do so without changing the page. Ignores case and white space.
 * @returns the first match */
function markText(root: ParentNode, text: string): Range | undefined {
  const ranges = findText(root, text)
  if ('highlights' in CSS) {
    if (!hasStyles) addStyles()
    if (ranges.length === 0) CSS.highlights.delete(highlightName)
    else CSS.highlights.set(highlightName, new Highlight(...ranges))
  }
  return ranges[0]
}

function findText(root: ParentNode, searchText: string): Range[] {
  const normalizedSearch = normalizeText(searchText)
  if (normalizedSearch === '') return []
  const ranges: Range[] = []
  for (const message of root.querySelectorAll('[data-message]')) {
    // Line breaks of drawn pages aren't in `textContent`.
    const isCandidate =
      message.querySelector('br') !== null || normalizeText(message.textContent ?? '').includes(normalizedSearch)
    if (!isCandidate) continue
    const { text, starts } = readNormalizedText(message)
    let index = text.indexOf(normalizedSearch)
    while (index >= 0 && ranges.length < maxMarks) {
      const [start, last] = [starts[index], starts[index + normalizedSearch.length - 1]]
      if (!start || !last) break
      const range = new Range()
      range.setStart(start.node, start.offset)
      range.setEnd(last.node, last.offset + 1)
      ranges.push(range)
      index = text.indexOf(normalizedSearch, index + 1)
    }
  }
  return ranges
}

const normalizeText = (text: string) => text.toLowerCase().replace(/\s+/g, ' ').trim()

const lineBreaks: Record<string, string> = { BR: '\n' }

/** Reads text in lower case, with white space and line breaks collapsed across elements. */
function readNormalizedText(message: Element): { text: string; starts: TextPosition[] } {
  const starts: TextPosition[] = []
  const characters: string[] = []
  const nodes = document.createTreeWalker(message, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT)
  for (let node = nodes.nextNode(); node; node = nodes.nextNode()) {
    const content = node instanceof Text ? node.data : (lineBreaks[node.nodeName] ?? '')
    for (let offset = 0; offset < content.length; offset += 1) {
      const character = content.charAt(offset)
      const isBlank = /\s/.test(character)
      if (isBlank && characters.at(-1) === ' ') continue
      // Lowering the case can change the length of a text.
      for (const lowerCharacter of isBlank ? ' ' : character.toLowerCase()) {
        characters.push(lowerCharacter)
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
  /** Marked until the person searches. */
  quotedText: string
  onOpen: (messageId: string) => void
}

/** Finds messages of all branches, and marks the words if the browser can. */
export function SourceSearch({ source, listRef, quotedText, onOpen }: SourceSearchProps) {
  const [input, setInput] = useState('')
  const [matchIndex, setMatchIndex] = useState(-1)
  const searchText = input.trim().toLowerCase()
  const matches = useMemo(
    () => (searchText === '' ? [] : source.messages.filter(({ text }) => text.toLowerCase().includes(searchText))),
    [source.messages, searchText],
  )
  useMarkedText(listRef, searchText === '' ? quotedText : searchText, { scrollsToMatch: searchText === '' })

  function goToMatch(step: 1 | -1) {
    const currentIndex = matchIndex < 0 && step < 0 ? 0 : matchIndex
    const nextIndex = (currentIndex + step + matches.length) % matches.length
    const message = matches[nextIndex]
    if (!message) return
    setMatchIndex(nextIndex)
    onOpen(message.id)
  }

  return (
    <search data-chrome className="mb-6 flex flex-wrap items-center gap-2">
      <div className="w-full max-w-[22rem]">
        <SearchField
          label={source.kind === 'conversation' ? 'Search this conversation' : 'Search this document'}
          value={input}
          maxLength={200}
          onValueChange={(value) => {
            setInput(value)
            setMatchIndex(-1)
          }}
        />
      </div>
      {searchText !== '' && (
        <>
          <span role="status" className="text-small text-muted-foreground">
            {formatMatches(matches.length, matchIndex, source.kind === 'conversation' ? 'message' : 'part')}
          </span>
          <IconButton label="Previous match" disabled={matches.length === 0} onClick={() => goToMatch(-1)}>
            <ChevronUp aria-hidden size={16} />
          </IconButton>
          <IconButton label="Next match" disabled={matches.length === 0} onClick={() => goToMatch(1)}>
            <ChevronDown aria-hidden size={16} />
          </IconButton>
        </>
      )}
    </search>
  )
}

function formatMatches(count: number, matchIndex: number, noun: string): string {
  if (count === 0) return 'Not found'
  return matchIndex >= 0 ? `${matchIndex + 1} of ${count}` : pluralize(count, noun)
}

interface MarkOptions {
  /** Scrolls to the first mark once, if it is out of view. */
  scrollsToMatch: boolean
}

/** Marks the text in all messages, also in those that appear later. */
function useMarkedText(listRef: RefObject<HTMLElement | null>, text: string, { scrollsToMatch }: MarkOptions): void {
  useEffect(() => {
    const list = listRef.current
    if (!list || text === '') return
    let hasScrolled = !scrollsToMatch
    const update = () => {
      const firstMatch = markText(list, text)
      if (!firstMatch || hasScrolled) return
      hasScrolled = true
      // Runs after the page has scrolled to the opened message.
      requestAnimationFrame(() => {
        const { top, bottom } = firstMatch.getBoundingClientRect()
        if (top < 0 || bottom > innerHeight) scrollBy({ top: top - innerHeight / 2 })
      })
    }
    update()
    // Messages appear when Markdown has loaded, more are shown or another branch is chosen.
    const observer = new MutationObserver(update)
    observer.observe(list, { childList: true, subtree: true })
    return () => {
      observer.disconnect()
      markText(list, '')
    }
  }, [listRef, text, scrollsToMatch])
}
