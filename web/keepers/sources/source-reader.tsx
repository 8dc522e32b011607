import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { type RefObject, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { entityNames } from '#contract/keepers/entity-names.ts'
import { keeperMedia } from '#contract/keepers/media.ts'
import { findLeaf, listBranch } from '#contract/keepers/source-tree.ts'
import {
  formatPartName,
  getSourceTitle,
  librarySourceKind,
  maxQuoteLength,
  type Source,
  sourceAppNames,
  sources,
} from '#contract/keepers/sources.ts'
import { truncate } from '#contract/truncate.ts'
import { call, fetchFile, getServerMessage } from '#web/api/api.ts'
import { useDownload } from '#web/files/use-download.ts'
import { getConflict } from '#web/offline/conflict-dialog.tsx'
import { createClientId } from '#web/offline/create-client-id.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { Switch } from '#web/ui/controls/switch.tsx'
import { useLimitedList } from '#web/ui/hooks/use-limited-list.tsx'
import { showToast } from '#web/ui/overlays/show-toast.tsx'
import { BackLink } from '#web/ui/panels/page-header.tsx'
import { formatSize } from '#web/ui/text/format-size.ts'
import { pluralize } from '#web/ui/text/pluralize.ts'
import { Time } from '#web/ui/text/time.tsx'
import { useScrollToOpened } from '../entries/use-scroll-to-opened.ts'
import { keeperKey } from '../keeper-queries.ts'
import { ReadByDialog } from '../reads/read-by.tsx'
import { SourceActions } from './source-actions.tsx'
import { KeepMenu, type KeepTarget, SourceMessageView } from './source-message.tsx'
import { SourceSearch } from './source-search.tsx'

/** Larger files are fetched only on request. */
const maxAutoLoadBytes = 20_000_000

/** The PDF of a document, fetched once. */
function useOriginal(file: Source['file']): { load: () => Promise<Blob>; canAutoLoad: boolean } | undefined {
  const id = file?.id ?? ''
  const pendingLoad = useRef<Promise<Blob>>(undefined)
  const load = useCallback(() => {
    pendingLoad.current ??= fetchFile(keeperMedia.bytes, { params: { id }, query: {} }).then(({ blob }) => blob)
    pendingLoad.current.catch(() => {
      pendingLoad.current = undefined
    })
    return pendingLoad.current
  }, [id])
  return file?.mime === 'application/pdf' ? { load, canAutoLoad: file.bytes <= maxAutoLoadBytes } : undefined
}

const maxVisibleQuoteLength = 200

function SelectedQuoteBar({ quote, onKeep }: { quote: string; onKeep: (target: KeepTarget) => Promise<void> }) {
  return (
    <section
      aria-label="Selected words"
      data-chrome
      className="sticky bottom-3 z-10 mt-4 flex items-center gap-3 rounded-lg border border-border bg-card px-4 py-2 shadow-e3"
    >
      <q dir="auto" className="min-w-0 flex-1 truncate text-ui">
        {truncate(quote.replace(/\s+/g, ' '), maxVisibleQuoteLength)}
      </q>
      <KeepMenu side="top" onKeep={onKeep}>
        Keep these words
      </KeepMenu>
    </section>
  )
}

const initialMessageCount = 60

interface SourceReaderProps {
  source: Source
  /** The message that a kept quote links to. */
  openedId: string | null
  /** The part of that message that an answer quotes; empty without one. */
  quotedText: string
  listPath: string
  onDeletingChange: (isDeleting: boolean) => void
}

export function SourceReader({ source, openedId, quotedText, listPath, onDeletingChange }: SourceReaderProps) {
  const { messages, kind, sourceKind } = source
  const [openedMessage, setOpenedMessage] = useState({ id: openedId, openCount: 0 })
  const [leafId, setLeafId] = useState(() =>
    openedId && !isInBranch(source, openedId) ? findLeaf(messages, openedId) : source.currentMessageId,
  )
  const branch = useMemo(() => listBranch(messages, leafId), [messages, leafId])
  const siblings = useMemo(() => Map.groupBy(messages, ({ parentId }) => parentId), [messages])
  const openedIndex = branch.findIndex(({ id }) => id === openedMessage.id)
  const { visible: visibleMessages, showMoreButton } = useLimitedList(branch, {
    initialVisible: initialMessageCount,
    minVisible: openedIndex + 1,
  })
  const openedRef = useScrollToOpened<HTMLLIElement>(
    `${openedMessage.id} ${openedMessage.openCount}`,
    openedIndex !== -1,
  )
  const listRef = useRef<HTMLOListElement>(null)
  const selectedQuote = useSelectedQuote(listRef)
  const keepQuote = useKeepQuote(source)
  const appName = sourceAppNames[sourceKind ?? '']
  const original = useOriginal(source.file)
  const [drawnMessageId, setDrawnMessageId] = useState(quotedText !== '' && original?.canAutoLoad ? openedId : null)
  const [hasDrawingFailed, setHasDrawingFailed] = useState(false)
  const handleDrawingFailed = useCallback(() => {
    setDrawnMessageId(null)
    setHasDrawingFailed(true)
  }, [])
  function draw(id: string | null) {
    setHasDrawingFailed(false)
    setDrawnMessageId(id)
  }

  function openMessage(id: string) {
    if (!branch.some((message) => message.id === id)) setLeafId(findLeaf(messages, id))
    setOpenedMessage(({ openCount }) => ({ id, openCount: openCount + 1 }))
  }

  return (
    <article aria-label={getSourceTitle(source)} className="max-w-[46rem]">
      <BackLink to={listPath} size="small">
        All sources
      </BackLink>
      <header className="mt-3 mb-5 flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <div className="min-w-0 flex-1 basis-64">
          <h2 dir="auto" className="text-[1.5rem] leading-[1.9375rem] wrap-anywhere">
            {getSourceTitle(source)}
          </h2>
          <p className="text-ui text-muted-foreground">
            {appName && `${appName} · `}
            <Time value={source.occurredAt} timeStyle="date-time" />
            {kind === 'conversation' && ` · ${pluralize(source.messageCount, 'message')}`}
          </p>
        </div>
        <SourceActions source={source} listPath={listPath} onDeletingChange={onDeletingChange} />
      </header>
      {kind === 'document' && <DocumentOptions source={source} />}
      {!source.keepable && (
        <p className="mb-5 text-ui text-muted-foreground">
          You asked {appName ?? 'the other app'} not to remember this conversation, so nothing can be kept from it.
        </p>
      )}
      {messages.length === 0 ? (
        <p className="text-ui text-muted-foreground">The text of this document can’t be read. Download the original.</p>
      ) : (
        <SourceSearch source={source} listRef={listRef} quotedText={quotedText} onOpen={openMessage} />
      )}
      {hasDrawingFailed && (
        <p role="alert" className="mb-5 text-ui font-medium text-destructive">
          This page can’t be shown with its original layout, so only its text appears here. Download the original to see
          the layout.
        </p>
      )}
      <ol ref={listRef} aria-label={kind === 'conversation' ? 'Messages' : 'Pages'} className="flex flex-col gap-6">
        {visibleMessages.map((message) => (
          <SourceMessageView
            key={message.id}
            ref={message.id === openedMessage.id ? openedRef : undefined}
            isOpened={message.id === openedMessage.id}
            message={message}
            partName={kind === 'document' ? formatPartName(message, branch.indexOf(message)) : undefined}
            isPlain={sourceKind === librarySourceKind}
            pageView={
              original && message.page !== undefined
                ? {
                    isDrawn: message.id === drawnMessageId,
                    onDrawnChange: (isDrawn) => draw(isDrawn ? message.id : null),
                    loadOriginal: original.load,
                    onFailed: handleDrawingFailed,
                  }
                : undefined
            }
            assistant={appName ?? 'AI'}
            branches={(siblings.get(message.parentId) ?? []).map(({ id }) => id)}
            onShowBranch={(id) => setLeafId(findLeaf(messages, id))}
            onKeep={
              source.keepable
                ? (target) => keepQuote({ messageId: message.id, quote: message.text, as: target })
                : undefined
            }
          />
        ))}
      </ol>
      {showMoreButton}
      {source.keepable && selectedQuote && (
        <SelectedQuoteBar
          quote={selectedQuote.quote}
          onKeep={(target) => keepQuote({ ...selectedQuote, as: target })}
        />
      )}
    </article>
  )
}

const isInBranch = ({ messages, currentMessageId }: Source, id: string) =>
  listBranch(messages, currentMessageId).some((message) => message.id === id)

interface Quote {
  messageId: string
  quote: string
  as: KeepTarget
}

/** Creates the entry once, also when the answer to the first attempt was lost. */
function useKeepQuote({ id, keeperId }: Source): (quote: Quote) => Promise<void> {
  const queryClient = useQueryClient()
  const pendingEntry = useRef({ key: '', id: '' })
  return async (quote) => {
    const key = JSON.stringify(quote)
    if (pendingEntry.current.key !== key) pendingEntry.current = { key, id: createClientId() }
    try {
      await call(sources.keepQuote, { params: { id }, body: { ...quote, id: pendingEntry.current.id } })
      pendingEntry.current = { key: '', id: '' }
      await queryClient.invalidateQueries({ queryKey: keeperKey(keeperId) })
      void showToast(`Kept as a ${entityNames[quote.as].toLowerCase()}.`, { dropsRibbon: true })
    } catch (reason) {
      const message = getServerMessage(reason)
      void showToast(`It wasn’t kept. ${message ?? 'The server couldn’t be reached. Try again.'}`)
    }
  }
}

type SelectedQuote = Omit<Quote, 'as'>

/** The selection inside one message of the list. It stays while its menu has the focus. */
function useSelectedQuote(listRef: RefObject<HTMLElement | null>): SelectedQuote | undefined {
  const [selectedQuote, setSelectedQuote] = useState<SelectedQuote>()
  useEffect(() => {
    const update = () =>
      setSelectedQuote((previous) => {
        const next = readSelection(listRef.current)
        return next?.messageId === previous?.messageId && next?.quote === previous?.quote ? previous : next
      })
    document.addEventListener('selectionchange', update)
    return () => document.removeEventListener('selectionchange', update)
  }, [listRef])
  return selectedQuote
}

function readSelection(list: HTMLElement | null): SelectedQuote | undefined {
  const selection = getSelection()
  if (!selection || selection.isCollapsed) return undefined
  const message = findMessage(selection.anchorNode)
  const messageId = message?.dataset.message
  if (!message || messageId === undefined || !list?.contains(message)) return undefined
  if (findMessage(selection.focusNode) !== message) return undefined
  const quote = selection.toString().trim()
  return quote !== '' && quote.length <= maxQuoteLength ? { messageId, quote } : undefined
}

function findMessage(node: Node | null): HTMLElement | null {
  const element = node instanceof Element ? node : node?.parentElement
  return element?.closest<HTMLElement>('[data-message]') ?? null
}

function DocumentOptions({ source }: { source: Source }) {
  const { id, keeperId, rev, file, agentsMayQuote, messages } = source
  const queryClient = useQueryClient()
  const { startDownload, progressText } = useDownload()
  const [isReadByOpen, setReadByOpen] = useState(false)
  const changeQuoting = useMutation({
    mutationFn: (agentsMayQuote: boolean) =>
      call(sources.update, { params: { id }, body: { agentsMayQuote }, ifMatch: rev }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: keeperKey(keeperId, 'source') }),
  })
  const download = useMutation({
    mutationFn: (original: NonNullable<Source['file']>) =>
      startDownload(keeperMedia.bytes, { params: { id: original.id }, query: {} }, original.name ?? 'document'),
  })
  const error = changeQuoting.error ?? download.error

  return (
    <section aria-label="This document" data-chrome className="mb-6 flex flex-wrap items-center gap-x-5 gap-y-3">
      <Switch
        label="Agents of this keeper can quote it"
        help={messages.length === 0 ? 'Its text can’t be read, so there is nothing to quote.' : undefined}
        checked={changeQuoting.isPending ? changeQuoting.variables : agentsMayQuote}
        disabled={messages.length === 0}
        onCheckedChange={(mayQuote) => {
          if (changeQuoting.isPending) return
          if (download.error) download.reset()
          changeQuoting.mutate(mayQuote)
        }}
      />
      <span className="flex flex-wrap gap-2">
        {file && (
          <Button
            size="small"
            icon={<Download aria-hidden size={14} />}
            busy={download.isPending}
            busyLabel={progressText ?? 'Downloading...'}
            onClick={() => {
              if (changeQuoting.error) changeQuoting.reset()
              download.mutate(file)
            }}
          >
            Download ({formatSize(file.bytes)})
          </Button>
        )}
        <Button size="small" variant="plain" onClick={() => setReadByOpen(true)}>
          Read by
        </Button>
      </span>
      {error && (
        <p role="alert" className="basis-full text-ui font-medium text-destructive">
          {getConflict(error)
            ? 'The document was changed elsewhere, so nothing was changed here. Reload and try again.'
            : (getServerMessage(error) ?? 'The server couldn’t be reached. Try again.')}
        </p>
      )}
      {isReadByOpen && <ReadByDialog entity="source" id={id} onClose={() => setReadByOpen(false)} />}
    </section>
  )
}
