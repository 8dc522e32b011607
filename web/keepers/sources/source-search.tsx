import { ChevronDown, ChevronUp } from 'lucide-react'
import { type RefObject, useMemo, useState } from 'react'
import type { Source } from '#contract/keepers/sources.ts'
import { IconButton } from '#web/ui/controls/icon-button.tsx'
import { SearchField } from '#web/ui/fields/search-field.tsx'
import { pluralize } from '#web/ui/text/pluralize.ts'
import { useMarkedWords } from './use-marked-words.ts'

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
