import { useQueryClient } from '@tanstack/react-query'
import { Check, ChevronDown, ChevronUp, Pencil } from 'lucide-react'
import { type ReactNode, useId, useLayoutEffect, useRef, useState } from 'react'
import { Link } from 'react-router'
import { getEntryPath } from '#contract/keepers/entry-address.ts'
import { builtInModel, type CardSearchResult, type MemoryCard, memoryCards } from '#contract/keepers/memory-cards.ts'
import { isDemoKeeper } from '#contract/samples/demo-ids.ts'
import { ApiError, call } from '#web/api/api.ts'
import type { CallInput } from '#web/api/api-types.ts'
import { EntityFormDialog } from '#web/offline/entity-form.tsx'
import { notifyDeleted } from '#web/offline/notify-deleted.tsx'
import type { SendResult } from '#web/offline/send-or-queue.ts'
import { getChanges, useEntityForm } from '#web/offline/use-entity-form.tsx'
import { Button } from '#web/ui/controls/button.tsx'
import { Switch } from '#web/ui/controls/switch.tsx'
import { TextArea } from '#web/ui/fields/text-area.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { classNames } from '#web/ui/hooks/class-names.ts'
import { MenuChoice, MenuItem } from '#web/ui/overlays/menu.tsx'
import { showToast } from '#web/ui/overlays/show-toast.tsx'
import { Badge } from '#web/ui/panels/badge.tsx'
import { Card } from '#web/ui/panels/card.tsx'
import { MarkedText } from '#web/ui/text/marked-text.tsx'
import { Time } from '#web/ui/text/time.tsx'
import { WrittenText } from '#web/ui/text/written-text.tsx'
import { EntryMenu } from '../entries/entry-menu.tsx'
import { QueuedBadge } from '../entries/entry-parts.tsx'
import { keeperKey } from '../keeper-queries.ts'
import { useMemoryApproval } from '../memory-checks/use-memory-approval.tsx'
import { toPlainExcerpt } from '../reflections/plain-excerpt.ts'
import { useKeeperWrite } from '../use-keeper-write.ts'
import { useCardStatus, useCardWithPendingWrites } from './card-queries.ts'

const toCardValues = ({ content, topic, aiVisible }: MemoryCard) => ({ content, topic: topic ?? '', aiVisible })
type CardChanges = NonNullable<CallInput<typeof memoryCards.update>['body']>

interface CardFormProps {
  card: MemoryCard
  update: (changes: CardChanges, rev: number) => Promise<SendResult<MemoryCard> | undefined>
  onClose: () => void
}

function CardForm({ card, update, onClose }: CardFormProps) {
  const { data: status } = useCardStatus(card.keeperId)
  const form = useEntityForm({
    draftKey: `${isDemoKeeper(card.keeperId) ? 'sample-' : ''}card/${card.id}`,
    subject: 'This memory card',
    entity: card,
    toValues: toCardValues,
    blank: toCardValues(card),
    toBody(values, previous) {
      const { topic, ...changes } = getChanges(previous, values)
      return { ...changes, ...(topic !== undefined && { topic: topic.trim() || null }) }
    },
    send: (changes: CardChanges, { rev }) => update(changes, rev ?? card.rev),
    onSaved(result) {
      onClose()
      if (result?.state !== 'queued') void showToast('Memory card saved')
    },
  })
  const { values, set, field, errors } = form
  const isEmpty = values.content.trim() === ''
  return (
    <EntityFormDialog
      form={form}
      aria-label="Memory card"
      onClose={onClose}
      discardsOnCancel
      title="Edit memory card"
      description={form.restored ? 'Draft restored.' : undefined}
      size="large"
      saveLabel="Save"
      failureTitle="Failed to update memory card"
      offersRetry
      disabled={isEmpty}
    >
      <TextField label="Topic" maxLength={80} list={`topics-${card.id}`} {...field('topic')} />
      <datalist id={`topics-${card.id}`}>
        {status?.topics.map(({ topic }) => (
          <option key={topic} value={topic} />
        ))}
      </datalist>
      <TextArea
        label="Text"
        required
        serif
        rows={10}
        maxLength={500_000}
        {...field('content')}
        error={isEmpty ? 'Write something first.' : errors.content}
      />
      <Switch
        label="Not for AI"
        help="Models never see this card, and no provider embeds it."
        checked={!values.aiVisible}
        onCheckedChange={(isHidden) => set({ aiVisible: !isHidden })}
      />
    </EntityFormDialog>
  )
}

interface CardItemProps {
  card: MemoryCard
  match?: CardSearchResult | undefined
  isExpanded: boolean
  onExpandedChange: (isExpanded: boolean) => void
  isHighlighted?: boolean
  headingLevel?: 'h2' | 'h3'
}

export function CardItem({ card: savedCard, ...viewProps }: CardItemProps) {
  const { keeperId } = savedCard
  const approval = useMemoryApproval(keeperId, { isDemo: isDemoKeeper(keeperId) })
  const queryClient = useQueryClient()
  const write = useKeeperWrite(keeperId, { changesDemo: true })
  const [isEditing, setEditing] = useState(false)
  const [isApproving, setApproving] = useState(false)
  const { card, isQueued } = useCardWithPendingWrites(savedCard)
  const update = (body: CardChanges, rev = card.rev) =>
    write(memoryCards.update, { params: { id: card.id }, body, ifMatch: rev }, 'Memory card')

  async function updateCard(changes: CardChanges, successMessage: string) {
    try {
      const result = await update(changes)
      if (result?.state === 'sent') void showToast(successMessage)
    } catch (reason) {
      void showToast(formatFailure(reason, 'Failed to update memory card'))
    }
  }

  async function approve() {
    setApproving(true)
    const consent = await approval.requestApproval({ entity: 'card', entityId: card.id })
    if (consent) {
      const { goldenCheck, note } = consent
      const successMessage = 'Approved. This card is part of your memory now'
      await updateCard(
        { state: 'active', ...(goldenCheck && { goldenCheck }) },
        note ? `${successMessage}. ${note}` : successMessage,
      )
    }
    setApproving(false)
  }

  async function remove() {
    const refresh = () => queryClient.invalidateQueries({ queryKey: keeperKey(keeperId) })
    try {
      await call(memoryCards.remove, { params: { id: card.id } })
      notifyDeleted('Memory card', 'card', card.id, refresh)
      await refresh()
    } catch (reason) {
      void showToast(formatFailure(reason, 'Failed to delete memory card'))
    }
  }

  return (
    <>
      <CardView
        {...viewProps}
        card={card}
        isQueued={isQueued}
        actions={
          <>
            {card.state === 'draft' && (
              <Button size="small" busy={isApproving} onClick={approve}>
                Approve
              </Button>
            )}
            <EntryMenu
              label={`More for the card ${card.topic ?? 'without a topic'}`}
              size="small"
              keeperId={keeperId}
              entity="card"
              entry={card}
              history={{ fields: ['topic', 'content'], onRestore: (fields) => update(fields) }}
              showsReads
              deleteLabel="Delete"
              onDelete={remove}
            >
              <MenuItem icon={<Pencil aria-hidden size={15} />} onSelect={() => setEditing(true)}>
                Edit
              </MenuItem>
              <MenuChoice
                checked={!card.aiVisible}
                onCheckedChange={(isHidden) =>
                  updateCard({ aiVisible: !isHidden }, isHidden ? 'Hidden from all models' : 'Visible to models')
                }
              >
                Not for AI
              </MenuChoice>
            </EntryMenu>
          </>
        }
      />
      {approval.dialog}
      {isEditing && <CardForm card={card} update={update} onClose={() => setEditing(false)} />}
    </>
  )
}

function formatFailure(reason: unknown, title: string): string {
  return reason instanceof ApiError && reason.serverMessage ? `${title}. ${reason.serverMessage}` : title
}

interface CardViewProps {
  card: MemoryCard
  /** Set for a search result. */
  match?: Pick<CardSearchResult, 'matched' | 'snippet' | 'marks'> | undefined
  isExpanded: boolean
  onExpandedChange: (isExpanded: boolean) => void
  /** Highlights the card opened by its URL. */
  isHighlighted?: boolean
  /** Has changes that aren't sent yet. */
  isQueued?: boolean
  actions?: ReactNode
  headingLevel?: 'h2' | 'h3'
}

/** A complete excerpt can be this much shorter than its text, because it has no Markdown syntax. */
const maxSyntaxLength = 20

function CardView(props: CardViewProps) {
  const { card, match, isExpanded, onExpandedChange, isHighlighted = false, isQueued = false, actions } = props
  const Heading = props.headingLevel ?? 'h2'
  const id = useId()
  const { ref, overflows } = useOverflow(isExpanded)
  const excerpt = toPlainExcerpt(card.content, 400)
  const isLonger = isExpanded || overflows || excerpt.length < card.content.trim().length - maxSyntaxLength
  const collapsedText = match?.snippet ? (
    <p ref={ref} className="line-clamp-3 wrap-anywhere">
      <MarkedText
        text={match.snippet}
        marks={match.marks ?? []}
        className="rounded-xs bg-ribbon-soft px-px text-foreground"
      />
    </p>
  ) : (
    <p dir="auto" ref={ref} className="line-clamp-2 wrap-anywhere">
      {excerpt}
    </p>
  )
  return (
    <Card kind="index" className={classNames('flex flex-col', isHighlighted && 'border-ribbon ring-2 ring-ribbon')}>
      <article aria-labelledby={`${id}-topic`}>
        <Heading id={`${id}-topic`} className="border-b border-chart4 pb-2.5 font-serif text-lead wrap-anywhere">
          {card.topic ?? <span className="text-muted-foreground">No topic</span>}
        </Heading>
        <div id={`${id}-text`} className="mt-2.5 font-serif text-read">
          {/* Agents help to write cards, so link targets are shown. */}
          {isExpanded ? <WrittenText text={card.content} isByReader={false} /> : collapsedText}
        </div>
        {isExpanded && <CardOrigin card={card} />}
        <footer className="mt-3 flex flex-wrap items-start gap-2">
          <div className="flex min-w-0 flex-1 basis-40 flex-wrap items-center gap-2 py-[3px] phone:py-[9px]">
            <Time value={card.createdAt} className="text-small text-muted-foreground" />
            <CardBadges card={card} match={match} isQueued={isQueued} />
          </div>
          <span className="ms-auto flex items-center gap-0.5" data-chrome>
            {actions}
            {isLonger && (
              <button
                type="button"
                aria-expanded={isExpanded}
                aria-controls={`${id}-text`}
                aria-describedby={`${id}-topic`}
                onClick={() => onExpandedChange(!isExpanded)}
                className="inline-flex h-7 items-center gap-1.5 rounded-sm px-1.5 text-small font-label text-muted-foreground hover:bg-fill-hover hover:text-foreground phone:h-10"
              >
                {isExpanded ? 'Collapse' : 'Expand'}
                {isExpanded ? <ChevronUp aria-hidden size={14} /> : <ChevronDown aria-hidden size={14} />}
              </button>
            )}
          </span>
        </footer>
      </article>
    </Card>
  )
}

function CardBadges({ card, match, isQueued }: Pick<CardViewProps, 'card' | 'match' | 'isQueued'>) {
  return (
    <>
      {card.embedded ? (
        <Badge tone="success" icon={<Check aria-hidden size={12} />}>
          Embedded
        </Badge>
      ) : (
        <Badge tone="warning" dot>
          Pending
        </Badge>
      )}
      {card.state === 'draft' && <Badge tone="ribbon">Draft, written by an AI</Badge>}
      {!card.aiVisible && <Badge tone="outlined">Not for AI</Badge>}
      {isQueued && <QueuedBadge />}
      {match && <Badge tone="info">{formatMatchKind(match.matched, card.embedding)}</Badge>}
    </>
  )
}

function formatMatchKind(matched: CardSearchResult['matched'], embedding: MemoryCard['embedding']): string {
  const meaning = embedding === builtInModel ? 'Similar words' : 'Meaning'
  if (matched.length > 1) return `Words and ${meaning.toLowerCase()}`
  return matched[0] === 'words' ? 'Words' : meaning
}

function CardOrigin({ card }: { card: MemoryCard }) {
  if (!card.reflection) return null
  const { id, createdAt } = card.reflection
  return (
    <p className="mt-3.5 border-t border-border pt-2.5 text-small text-muted-foreground">
      From the{' '}
      <Link
        to={getEntryPath({ entity: 'reflection', keeperId: card.keeperId, id })}
        className="font-medium text-foreground underline decoration-border underline-offset-4 hover:decoration-current"
      >
        reflection from <Time value={createdAt} />
      </Link>
    </p>
  )
}

function useOverflow(isExpanded: boolean) {
  const ref = useRef<HTMLParagraphElement>(null)
  const [overflows, setOverflows] = useState(false)
  useLayoutEffect(() => {
    const element = ref.current
    if (!element || isExpanded) return
    const measure = () => setOverflows(element.scrollHeight > element.clientHeight + 1)
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [isExpanded])
  return { ref, overflows }
}
