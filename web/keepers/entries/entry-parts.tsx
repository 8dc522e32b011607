import { useMutation } from '@tanstack/react-query'
import { History, Pencil, Plus, Trash2 } from 'lucide-react'
import { type ComponentProps, type ReactNode, useEffect, useRef, useState } from 'react'
import type { Keeper } from '#contract/keepers/keepers.ts'
import { getServerMessage } from '#web/api/api.ts'
import { HistoryDialog } from '#web/offline/history-dialog.tsx'
import { MutationError } from '#web/queries/mutation-error.tsx'
import { QueryStatus } from '#web/queries/query-status.tsx'
import { Button } from '#web/ui/controls/button.tsx'
import { IconButton } from '#web/ui/controls/icon-button.tsx'
import { useLimitedList } from '#web/ui/hooks/use-limited-list.tsx'
import { showToast } from '#web/ui/overlays/show-toast.tsx'
import { Badge } from '#web/ui/panels/badge.tsx'
import { Banner } from '#web/ui/panels/banner.tsx'
import type { BaseEntry, EntryKind } from './entry-kinds.ts'
import type { EntryList } from './use-entry-list.ts'
import { useEntryList } from './use-entry-list.ts'
import { useScrollToOpened } from './use-scroll-to-opened.ts'

interface EntryListStatusProps
  extends Pick<ComponentProps<typeof QueryStatus>, 'query'>,
    Partial<Pick<ComponentProps<typeof QueryStatus>, 'skeletonClassName'>> {
  /** Error title, such as `Failed to fetch echoes`. */
  title: string
}

/** Shown while entries load, or if they couldn't be loaded. */
export function EntryListStatus({ title, query, skeletonClassName = 'h-96' }: EntryListStatusProps) {
  return (
    <QueryStatus query={query} title={`Error: ${title}`} retryLabel="Try again" skeletonClassName={skeletonClassName}>
      {getServerMessage(query.error) ?? undefined}
    </QueryStatus>
  )
}

export function DemoNote() {
  return (
    <Banner tone="info" className="mb-4">
      This is a sample. Nothing you write here is sent, and it’s gone when you leave.
    </Banner>
  )
}

export function QueuedBadge() {
  return (
    <Badge tone="info" dot>
      Waiting to be sent
    </Badge>
  )
}

const iconOnPhoneClasses = 'phone:w-[2.125rem] phone:gap-0 phone:px-0'

interface InlineDeleteProps {
  label: string
  question: string
  failedTitle: string
  onDelete: () => Promise<void>
}

/** Confirms inline, with focus on Cancel. */
function InlineDelete({ label, question, failedTitle, onDelete }: InlineDeleteProps) {
  const [isConfirming, setIsConfirming] = useState(false)
  const remove = useMutation({ mutationFn: onDelete })
  const cancelButton = useRef<HTMLButtonElement>(null)
  const openButton = useRef<HTMLButtonElement>(null)
  const [wasConfirming, setWasConfirming] = useState(false)

  useEffect(() => {
    if (isConfirming) cancelButton.current?.focus()
    else if (wasConfirming) openButton.current?.focus()
  }, [isConfirming, wasConfirming])

  if (!isConfirming)
    return (
      <Button
        ref={openButton}
        size="small"
        variant="plain"
        icon={<Trash2 aria-hidden size={13} />}
        aria-label={label}
        className={iconOnPhoneClasses}
        onClick={() => {
          setIsConfirming(true)
          setWasConfirming(true)
        }}
      >
        <span className="phone:sr-only">Delete</span>
      </Button>
    )
  return (
    <fieldset aria-label={label} className="flex w-full flex-wrap items-center justify-end gap-2">
      <MutationError title={failedTitle} mutation={remove} />
      <span dir="auto" className="text-ui phone:basis-full phone:text-end">
        {question}
      </span>
      <Button ref={cancelButton} size="small" onClick={() => setIsConfirming(false)}>
        Cancel
      </Button>
      <Button
        size="small"
        variant="danger"
        busy={remove.isPending}
        busyLabel="Deleting..."
        onClick={() => remove.mutate()}
      >
        Delete
      </Button>
    </fieldset>
  )
}

interface EntryActionsProps<Entry extends BaseEntry> {
  entry: Entry
  entryList: EntryList<Entry>
  /** Used in button labels: 'Edit Promises'. */
  name: string
  question: string
  kind: EntryKind<Entry>
  /** `null` when the entry is read-only. */
  onEdit: (() => void) | null
}

/** Earlier versions and Delete are available once the entry is on the server. */
export function EntryActions<Entry extends BaseEntry>(props: EntryActionsProps<Entry>) {
  const { entry, entryList, name, question, kind, onEdit } = props
  const isQueued = entryList.queuedIds.has(entry.id)
  return (
    <>
      {onEdit && !isQueued && !entryList.isDemo && (
        <EarlierVersions entry={entry} entryList={entryList} kind={kind} name={name} />
      )}
      {onEdit && (
        <Button
          size="small"
          variant="plain"
          icon={<Pencil aria-hidden size={13} />}
          aria-label={`Edit ${name}`}
          data-opens={entry.id}
          className={iconOnPhoneClasses}
          onClick={onEdit}
        >
          <span className="phone:sr-only">Edit</span>
        </Button>
      )}
      {!isQueued && (
        <InlineDelete
          label={`Delete ${name}`}
          question={question}
          failedTitle={kind.errorTitles.delete}
          onDelete={() => entryList.remove(entry)}
        />
      )}
    </>
  )
}

export function EntryListHeader({
  stats,
  children,
}: {
  stats: readonly { label: string; value: number }[]
  children?: ReactNode
}) {
  return (
    <div
      data-chrome
      className="mb-5 flex flex-wrap items-center justify-between gap-x-8 gap-y-3 border-b border-border pb-5"
    >
      <dl className="flex flex-wrap gap-x-10 gap-y-2 phone:gap-x-5">
        {stats.map(({ label, value }) => (
          <div key={label} className="flex items-baseline gap-2.5 phone:gap-1.5">
            <dt className="order-2 text-ui text-muted-foreground">{label}</dt>
            <dd className="font-serif text-figure tabular-nums lining-nums">{value}</dd>
          </div>
        ))}
      </dl>
      {children}
    </div>
  )
}

/** Earlier versions of an entry; restoring one is saved like any other change. */
function EarlierVersions<Entry extends BaseEntry>(props: Omit<EntryActionsProps<Entry>, 'question' | 'onEdit'>) {
  const { entry, entryList, kind, name } = props
  const [isHistoryOpen, setHistoryOpen] = useState(false)

  async function restoreVersion(body: Record<string, unknown>) {
    const sendResult = await entryList.save({ id: entry.id, body, rev: entry.rev })
    if (sendResult.state === 'sent') await entryList.put(sendResult.answer)
    else void showToast(`${kind.label}: waiting to be sent. It’s safe in this browser.`)
  }

  return (
    <>
      <IconButton size="small" label={`Earlier versions of ${name}`} onClick={() => setHistoryOpen(true)}>
        <History aria-hidden size={14} />
      </IconButton>
      <HistoryDialog
        entity={kind.entity}
        id={entry.id}
        current={{ ...(entry as object) }}
        fields={kind.textFields}
        onRestore={restoreVersion}
        onOpenChange={setHistoryOpen}
        open={isHistoryOpen}
      />
    </>
  )
}

interface LongListProps<Entry> {
  label: string
  entries: readonly Entry[]
  /** The entry named by the URL; always rendered and scrolled into view. */
  linkedId?: string | null
  className: string
  children: (entry: Entry) => ReactNode
}

/** A list that renders only its first entries when it is long. */
export function LongList<Entry extends { id: string }>({
  label,
  entries,
  linkedId,
  className,
  children,
}: LongListProps<Entry>) {
  const linkedIndex = linkedId ? entries.findIndex(({ id }) => id === linkedId) : -1
  const { visible: visibleEntries, showMoreButton } = useLimitedList(entries, { minVisible: linkedIndex + 1 })
  const linkedRef = useScrollToOpened<HTMLLIElement>(linkedId, linkedIndex !== -1)
  return (
    <>
      <ul aria-label={label} className={className}>
        {visibleEntries.map((entry) => (
          <li
            key={entry.id}
            {...(entry.id === linkedId && { ref: linkedRef, tabIndex: -1, 'aria-current': true })}
            className="min-w-0 rounded-xs outline-offset-4 aria-[current]:ring-2 aria-[current]:ring-ribbon"
          >
            {children(entry)}
          </li>
        ))}
      </ul>
      {showMoreButton}
    </>
  )
}

/** The open form: `new`, an entry id, or none. Closing it returns focus to its `data-opens` button. */
export function useOpenForm() {
  const [openForm, setOpenForm] = useState<string>()
  const previousForm = useRef<string>(undefined)
  useEffect(() => {
    if (openForm === undefined && previousForm.current !== undefined)
      document.querySelector<HTMLElement>(`[data-opens="${previousForm.current}"]`)?.focus()
    previousForm.current = openForm
  }, [openForm])
  return [openForm, setOpenForm, () => setOpenForm(undefined)] as const
}

interface OpenEntryList<Entry extends BaseEntry> {
  entries: Entry[]
  entryList: EntryList<Entry>
  /** Opens the form of a new entry; false while it is open. */
  addButton: ReactNode
  openForm: string | undefined
  showForm: (target: string) => void
  /** The entry as a card, or its form while it is edited. */
  renderEntry: (entry: Entry) => ReactNode
}

export interface EntryFormContext<Entry extends BaseEntry> {
  keeper: Keeper
  entryList: EntryList<Entry>
  /** `null` for a new entry. */
  entry: Entry | null
  onClose: () => void
}

export interface EntryCardContext<Entry extends BaseEntry> {
  entry: Entry
  entryList: EntryList<Entry>
  onEdit: () => void
}

interface EntryListPageProps<Entry extends BaseEntry> {
  kind: EntryKind<Entry>
  keeper: Keeper
  addLabel: string
  Form: (props: EntryFormContext<Entry>) => ReactNode
  renderCard: (card: EntryCardContext<Entry>) => ReactNode
  getStats: (entries: readonly Entry[]) => readonly { label: string; value: number }[]
  /** Rendered in the header; defaults to the add button. */
  renderActions?: (list: OpenEntryList<Entry>) => ReactNode
  children: (list: OpenEntryList<Entry>) => ReactNode
}

/** Page that lists entries of one kind, with stats and a form for new entries. */
export function EntryListPage<Entry extends BaseEntry>(props: EntryListPageProps<Entry>) {
  const { kind, keeper, Form, renderCard, renderActions } = props
  const entryList = useEntryList(kind, keeper)
  const [openForm, showForm, closeForm] = useOpenForm()
  const { entries } = entryList
  if (!entries) return <EntryListStatus title={kind.errorTitles.fetch} query={entryList.query} />
  const renderForm = (entry: Entry | null) => (
    <Form keeper={keeper} entryList={entryList} entry={entry} onClose={closeForm} />
  )
  const list: OpenEntryList<Entry> = {
    entries,
    entryList,
    openForm,
    showForm,
    addButton: openForm !== 'new' && (
      <Button variant="primary" data-opens="new" icon={<Plus aria-hidden size={15} />} onClick={() => showForm('new')}>
        {props.addLabel}
      </Button>
    ),
    renderEntry: (entry) =>
      openForm === entry.id ? renderForm(entry) : renderCard({ entry, entryList, onEdit: () => showForm(entry.id) }),
  }
  return (
    <>
      {entryList.isDemo && <DemoNote />}
      <EntryListHeader stats={props.getStats(entries)}>
        {/* An empty list has the button in its place. */}
        {entries.length > 0 && (renderActions ? renderActions(list) : list.addButton)}
      </EntryListHeader>
      {openForm === 'new' && renderForm(null)}
      {props.children(list)}
    </>
  )
}
