import { Check, ChevronDown, ChevronUp } from 'lucide-react'
import { type ReactNode, useId, useLayoutEffect, useRef, useState } from 'react'
import { Link } from 'react-router'
import { builtInModel, type CardSearchResult, type MemoryCard } from '#contract/keepers/memory-cards.ts'
import { classNames } from '#web/ui/hooks/class-names.ts'
import { Badge } from '#web/ui/panels/badge.tsx'
import { Card } from '#web/ui/panels/card.tsx'
import { MarkedText } from '#web/ui/text/marked-text.tsx'
import { Time } from '#web/ui/text/time.tsx'
import { WrittenText } from '#web/ui/text/written-text.tsx'
import { toPlainExcerpt } from '../reflections/plain-excerpt.ts'

export interface CardViewProps {
  card: MemoryCard
  /** Set for a search result. */
  match?: Pick<CardSearchResult, 'matched' | 'snippet' | 'marks'> | undefined
  expanded: boolean
  onExpandedChange: (expanded: boolean) => void
  /** Highlights the card opened by its URL. */
  isHighlighted?: boolean
  /** Has changes that aren't sent yet. */
  isQueued?: boolean
  actions?: ReactNode
  headingLevel?: 'h2' | 'h3'
}

export function CardView(props: CardViewProps) {
  const { card, match, expanded, onExpandedChange, isHighlighted = false, isQueued = false, actions } = props
  const Heading = props.headingLevel ?? 'h2'
  const id = useId()
  const { ref, overflows } = useOverflow(expanded)
  const excerpt = toPlainExcerpt(card.content, 400)
  const isLonger = expanded || overflows || excerpt.length < card.content.trim().length - 20
  return (
    <Card kind="index" className={classNames('flex flex-col', isHighlighted && 'border-ribbon ring-2 ring-ribbon')}>
      <article aria-labelledby={`${id}-topic`}>
        <Heading id={`${id}-topic`} className="border-b border-chart4 pb-2.5 font-serif text-lead wrap-anywhere">
          {card.topic ?? <span className="text-muted-foreground">No topic</span>}
        </Heading>
        <div id={`${id}-text`} className="mt-2.5 font-serif text-read">
          {expanded ? (
            // Agents help to write cards, so link targets are shown.
            <WrittenText text={card.content} own={false} />
          ) : match?.snippet ? (
            <p ref={ref} className="line-clamp-3 wrap-anywhere">
              <MarkedText
                text={match.snippet}
                marks={match.marks ?? []}
                className="rounded-xs bg-ribbon-soft px-px text-foreground"
              />
            </p>
          ) : (
            <p ref={ref} className="line-clamp-2 wrap-anywhere">
              {excerpt}
            </p>
          )}
        </div>
        {expanded && <CardOrigin card={card} />}
        <footer className="mt-3 flex flex-wrap items-center gap-2">
          <Time value={card.createdAt} className="text-small text-muted-foreground" />
          <CardBadges card={card} match={match} isQueued={isQueued} />
          <span className="ms-auto flex items-center gap-0.5" data-chrome>
            {actions}
            {isLonger && (
              <button
                type="button"
                aria-expanded={expanded}
                aria-controls={`${id}-text`}
                aria-describedby={`${id}-topic`}
                onClick={() => onExpandedChange(!expanded)}
                className="inline-flex h-7 items-center gap-1.5 rounded-sm px-1.5 text-small font-label text-muted-foreground hover:bg-fill-hover hover:text-foreground phone:h-10"
              >
                {expanded ? 'Collapse' : 'Expand'}
                {expanded ? <ChevronUp aria-hidden size={14} /> : <ChevronDown aria-hidden size={14} />}
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
      {isQueued && (
        <Badge tone="info" dot>
          Waiting to be sent
        </Badge>
      )}
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
        to={`/keeper/${encodeURIComponent(card.keeperId)}/reflection-journal?reflection=${encodeURIComponent(id)}`}
        className="font-medium text-foreground underline decoration-border underline-offset-4 hover:decoration-current"
      >
        reflection from <Time value={createdAt} />
      </Link>
    </p>
  )
}

function useOverflow(expanded: boolean) {
  const ref = useRef<HTMLParagraphElement>(null)
  const [overflows, setOverflows] = useState(false)
  useLayoutEffect(() => {
    const element = ref.current
    if (!element || expanded) return
    const measure = () => setOverflows(element.scrollHeight > element.clientHeight + 1)
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [expanded])
  return { ref, overflows }
}
