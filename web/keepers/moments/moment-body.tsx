import { CloudOff } from 'lucide-react'
import { type ComponentProps, type ReactNode, useState } from 'react'
import { flushSync } from 'react-dom'
import type { Keeper } from '#contract/keepers/keepers.ts'
import { getLocalTime } from '#contract/keepers/local-time.ts'
import { type Moment, moments } from '#contract/keepers/moments.ts'
import { usePendingWrites } from '#web/offline/use-pending-writes.ts'
import { quietLinkClasses } from '#web/ui/controls/quiet-link.ts'
import { classNames } from '#web/ui/hooks/class-names.ts'
import { usePrinting } from '#web/ui/hooks/use-printing.ts'
import { formatTime, getLocalTimeZone } from '#web/ui/text/format-time.ts'
import { pluralize } from '#web/ui/text/pluralize.ts'
import { truncateText } from '#web/ui/text/truncate-text.ts'
import { WrittenText } from '#web/ui/text/written-text.tsx'
import { type MediaSummary, MediaView, OpenablePicture } from '../media/media-view.tsx'
import { toPlainExcerpt } from '../reflections/plain-excerpt.ts'
import { formatDay, formatLongDay } from './format-day.ts'
import { clearSettling, useIsSettling } from './settling-moment.ts'

const excerptLimits = { characters: 2000, lines: 40 }

/** Shows an excerpt of a very long moment until it is expanded. */
export function MomentBody({ text }: { text: string }) {
  const excerpt = truncateText(text, excerptLimits)
  if (excerpt.length === text.length) return <WrittenText text={text} />
  return <LongBody text={text} excerpt={trimToGap(excerpt)} />
}

function LongBody({ text, excerpt }: { text: string; excerpt: string }) {
  const [open, setOpen] = useState(false)
  const isPrinting = usePrinting()
  return (
    <>
      <WrittenText text={open || isPrinting ? text : excerpt} />
      <button
        type="button"
        data-chrome
        aria-expanded={open}
        onClick={({ currentTarget }) => {
          flushSync(() => setOpen(!open))
          // Collapsing long text can move the button far out of view.
          if (open) currentTarget.scrollIntoView({ block: 'nearest' })
        }}
        className={`mt-1 min-h-6 font-sans not-italic ${quietLinkClasses}`}
      >
        {open ? 'Show less' : 'Show more'}
      </button>
    </>
  )
}

/** Cuts at a paragraph end in the last third, else after a word in the last tenth, else anywhere, with an ellipsis. */
function trimToGap(text: string): string {
  const paragraphEnd = text.lastIndexOf('\n\n')
  if (paragraphEnd > text.length * 0.67) return text.slice(0, paragraphEnd)
  const wordEnd = text.lastIndexOf(' ')
  return `${text.slice(0, wordEnd > text.length * 0.9 ? wordEnd : undefined).trimEnd()}…`
}

/** The time of day in the moment's own time zone. */
export function LocalClock({ moment: { occurredAt, timezone } }: { moment: Pick<Moment, 'occurredAt' | 'timezone'> }) {
  const clock = getLocalTime(timezone, Date.parse(occurredAt))
  const [time, dayPeriod] = formatTime(occurredAt, 'time', timezone).split(/\s/)
  const isOtherTimeZone = getLocalTime(getLocalTimeZone(), Date.parse(occurredAt)) !== clock
  return (
    <time dateTime={occurredAt} title={isOtherTimeZone ? `In ${timezone.replaceAll('_', ' ')}` : undefined}>
      {time} {dayPeriod && <span className="block text-small">{dayPeriod}</span>}
    </time>
  )
}

export function MomentMedia({ media }: { media: readonly MediaSummary[] }) {
  const pictures = media.filter(({ kind }) => kind === 'image')
  const otherMedia = media.filter(({ kind }) => kind !== 'image')
  return (
    <>
      {pictures.length > 0 && (
        <div
          className={classNames(
            'mt-2 grid max-w-[38rem] gap-2',
            pictures.length > 1 && 'grid-cols-2',
            pictures.length > 4 && 'desk:grid-cols-3',
          )}
        >
          {pictures.map((picture) => (
            <OpenablePicture key={picture.id} media={picture} square={pictures.length > 1} />
          ))}
        </div>
      )}
      {otherMedia.map((other) => (
        <MediaView key={other.id} media={other} className="mt-2 max-w-[24rem]" />
      ))}
    </>
  )
}

interface QueuedMomentBody {
  body?: string
  localDate?: string
  mediaIds?: string[]
}

export function QueuedMoments({ keeper }: { keeper: Keeper }) {
  const queuedWrites = usePendingWrites(keeper.id).filter(
    ({ endpoint }) => endpoint.path === moments.create.path && endpoint.method === moments.create.method,
  )
  if (queuedWrites.length === 0) return null
  return (
    <section aria-label="Waiting to be sent" className="mb-6 rounded-md border border-dashed border-input px-4 py-3">
      <h2 className="mb-2 flex items-center gap-1.5 font-sans text-ui font-semibold tracking-normal">
        <CloudOff aria-hidden size={15} />
        Waiting to be sent
      </h2>
      <ul className="flex flex-col gap-3">
        {queuedWrites.map((write) => {
          const { thing: momentId, refusal } = write
          const { body = '', localDate, mediaIds }: QueuedMomentBody = write.body ?? {}
          return (
            <SettlingItem key={write.id} momentId={momentId}>
              <div className="font-serif text-read wrap-break-word">
                <MomentBody text={body} />
              </div>
              <p className="text-small text-muted-foreground">
                {localDate && formatDay(localDate)}
                {mediaIds && mediaIds.length > 0 && `, with ${pluralize(mediaIds.length, 'file')}`}
                {refusal && `. Refused by the server: ${refusal.words}`}
              </p>
            </SettlingItem>
          )
        })}
      </ul>
    </section>
  )
}

function SettlingItem({ momentId, children }: { momentId: string | undefined; children: ReactNode }) {
  const isSettling = useIsSettling(momentId)
  return <li className={classNames('max-w-[38rem]', isSettling && 'animate-settle')}>{children}</li>
}

export const momentRowClasses = 'grid grid-cols-[56px_24px_minmax(0,1fr)] phone:grid-cols-[48px_22px_minmax(0,1fr)]'

interface MomentRowProps extends ComponentProps<'article'> {
  moment: Pick<Moment, 'id' | 'title' | 'body' | 'timezone' | 'occurredAt'>
  isPinned?: boolean
}

/** A timeline row: the time, a marker and the content. */
export function MomentRow({ moment, isPinned = false, children, ...article }: MomentRowProps) {
  const isSettling = useIsSettling(moment.id)
  return (
    <article
      {...article}
      data-moment={moment.id}
      aria-label={moment.title ?? (toPlainExcerpt(moment.body, 60) || 'Moment')}
      onAnimationEnd={isSettling ? clearSettling : undefined}
      className={classNames(momentRowClasses, isSettling && 'animate-settle')}
    >
      <div className="pt-px font-serif text-lead text-muted-foreground tabular-nums">
        <LocalClock moment={moment} />
      </div>
      <div aria-hidden className="relative flex justify-center">
        <span className="absolute inset-y-0 w-px bg-border" />
        {isPinned ? (
          <span className="relative mt-1 h-4 w-[9px] spine bg-ribbon" />
        ) : (
          <span className="relative mt-2 size-[9px] rounded-full border-[1.5px] border-input bg-background" />
        )}
      </div>
      {children}
    </article>
  )
}

export function DayHeading({ day, count }: { day: string; count?: number | undefined }) {
  return (
    <h2
      data-day={day}
      tabIndex={-1}
      title={formatLongDay(day)}
      className="flex items-baseline gap-2 rounded-xs pt-3 pb-3.5"
    >
      {formatDay(day)}
      {count !== undefined && count > 1 && (
        <span className="font-sans text-ui font-book tracking-normal text-muted-foreground">{count} moments</span>
      )}
    </h2>
  )
}
