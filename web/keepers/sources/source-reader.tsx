import { ArrowLeft } from 'lucide-react'
import { useCallback, useMemo, useRef, useState } from 'react'
import { findLeaf, listBranch } from '#contract/keepers/source-tree.ts'
import {
  formatPartName,
  getSourceTitle,
  librarySourceKind,
  type Source,
  sourceAppNames,
} from '#contract/keepers/sources.ts'
import { LinkButton } from '#web/ui/controls/link-button.tsx'
import { useLimitedList } from '#web/ui/hooks/use-limited-list.tsx'
import { pluralize } from '#web/ui/text/pluralize.ts'
import { Time } from '#web/ui/text/time.tsx'
import { useScrollToOpened } from '../entries/use-scroll-to-opened.ts'
import { DocumentOptions } from './document-options.tsx'
import { SelectedWords } from './selected-words.tsx'
import { SourceActions } from './source-actions.tsx'
import { SourceMessageView } from './source-message.tsx'
import { SourceSearch } from './source-search.tsx'
import { useKeepQuote } from './use-keep-quote.ts'
import { useOriginal } from './use-original.ts'
import { useSelectedWords } from './use-selected-words.ts'

const initialMessages = 60

interface SourceReaderProps {
  source: Source
  /** The message that a kept quote links to. */
  openedId: string | null
  /** Words of that message that an answer quotes. */
  openedWords: string
  listPath: string
  onDeleting: (isDeleting: boolean) => void
}

export function SourceReader({ source, openedId, openedWords, listPath, onDeleting }: SourceReaderProps) {
  const { messages, kind, sourceKind } = source
  const [opened, setOpened] = useState({ id: openedId, count: 0 })
  const [leafId, setLeafId] = useState(() =>
    openedId && !isInBranch(source, openedId) ? findLeaf(messages, openedId) : source.currentMessageId,
  )
  const branch = useMemo(() => listBranch(messages, leafId), [messages, leafId])
  const siblings = useMemo(() => Map.groupBy(messages, ({ parentId }) => parentId), [messages])
  const openedAt = branch.findIndex(({ id }) => id === opened.id)
  const { visible, more } = useLimitedList(branch, { initialVisible: initialMessages, minVisible: openedAt + 1 })
  const openedRef = useScrollToOpened<HTMLLIElement>(`${opened.id} ${opened.count}`, openedAt !== -1)
  const listRef = useRef<HTMLOListElement>(null)
  const selected = useSelectedWords(listRef)
  const keepQuote = useKeepQuote(source)
  const app = sourceAppNames[sourceKind ?? '']
  const original = useOriginal(source.file)
  const [drawnId, setDrawnId] = useState(openedWords !== '' && original?.isQuick ? openedId : null)
  const [drawingFailed, setDrawingFailed] = useState(false)
  const handleDrawingFailed = useCallback(() => {
    setDrawnId(null)
    setDrawingFailed(true)
  }, [])
  function draw(id: string | null) {
    setDrawingFailed(false)
    setDrawnId(id)
  }

  function openMessage(id: string) {
    if (!branch.some((message) => message.id === id)) setLeafId(findLeaf(messages, id))
    setOpened(({ count }) => ({ id, count: count + 1 }))
  }

  return (
    <article aria-label={getSourceTitle(source)} className="max-w-[46rem]">
      <LinkButton to={listPath} variant="plain" size="small" icon={<ArrowLeft aria-hidden size={14} />}>
        All sources
      </LinkButton>
      <header className="mt-3 mb-5 flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <div className="min-w-0 flex-1 basis-64">
          <h2 dir="auto" className="text-[24px] leading-[31px] wrap-anywhere">
            {getSourceTitle(source)}
          </h2>
          <p className="text-ui text-muted-foreground">
            {app && `${app} · `}
            <Time value={source.occurredAt} timeStyle="date-time" />
            {kind === 'conversation' && ` · ${pluralize(source.messageCount, 'message')}`}
          </p>
        </div>
        <SourceActions source={source} listPath={listPath} onDeleting={onDeleting} />
      </header>
      {kind === 'document' && <DocumentOptions source={source} />}
      {!source.keepable && (
        <p className="mb-5 text-ui text-muted-foreground">
          You asked {app ?? 'the other app'} not to remember this conversation, so nothing can be kept from it.
        </p>
      )}
      {messages.length === 0 ? (
        <p className="text-ui text-muted-foreground">The text of this document can’t be read. Download the original.</p>
      ) : (
        <SourceSearch {...{ source, listRef, openedWords }} onOpen={openMessage} />
      )}
      {drawingFailed && (
        <p role="alert" className="mb-5 text-ui font-medium text-destructive">
          The page can’t be shown as in the file, so you see its text. Download the original to see it.
        </p>
      )}
      <ol ref={listRef} aria-label={kind === 'conversation' ? 'Messages' : 'Pages'} className="flex flex-col gap-6">
        {visible.map((message) => (
          <SourceMessageView
            key={message.id}
            ref={message.id === opened.id ? openedRef : undefined}
            isOpened={message.id === opened.id}
            message={message}
            partName={kind === 'document' ? formatPartName(message, branch.indexOf(message)) : undefined}
            isPlain={sourceKind === librarySourceKind}
            pageView={
              original && message.page !== undefined
                ? {
                    isDrawn: message.id === drawnId,
                    onDraw: (isDrawn) => draw(isDrawn ? message.id : null),
                    loadOriginal: original.load,
                    onFailed: handleDrawingFailed,
                  }
                : undefined
            }
            assistant={app ?? 'AI'}
            branches={(siblings.get(message.parentId) ?? []).map(({ id }) => id)}
            onShowBranch={(id) => setLeafId(findLeaf(messages, id))}
            onKeep={source.keepable ? (as) => keepQuote({ messageId: message.id, quote: message.text, as }) : undefined}
          />
        ))}
      </ol>
      {more}
      {source.keepable && selected && (
        <SelectedWords
          words={selected.words}
          onKeep={(as) => keepQuote({ messageId: selected.messageId, quote: selected.words, as })}
        />
      )}
    </article>
  )
}

const isInBranch = ({ messages, currentMessageId }: Source, id: string) =>
  listBranch(messages, currentMessageId).some((message) => message.id === id)
