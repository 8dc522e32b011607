import { useState } from 'react'
import { flushSync } from 'react-dom'
import { getLocalTime } from '#contract/keepers/local-time.ts'
import type { Moment } from '#contract/keepers/moments.ts'
import { quietLinkClasses } from '#web/ui/controls/quiet-link.ts'
import { classNames } from '#web/ui/hooks/class-names.ts'
import { usePrinting } from '#web/ui/hooks/use-printing.ts'
import { formatTime, getLocalTimeZone } from '#web/ui/text/format-time.ts'
import { truncateText } from '#web/ui/text/truncate-text.ts'
import { WrittenText } from '#web/ui/text/written-text.tsx'
import { type MediaSummary, MediaView, OpenablePicture } from '../media/media-view.tsx'

const excerptLimits = { characters: 2000, lines: 40 }

/** Shows an excerpt of a very long moment until it is expanded. */
export function MomentBody({ text }: { text: string }) {
  const excerpt = truncateText(text, excerptLimits)
  if (excerpt.length === text.length) return <WrittenText text={text} />
  return <LongBody text={text} excerpt={trimToGap(excerpt)} />
}

function LongBody({ text, excerpt }: { text: string; excerpt: string }) {
  const [open, setOpen] = useState(false)
  const printing = usePrinting()
  return (
    <>
      <WrittenText text={open || printing ? text : excerpt} />
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

/** Cuts at a paragraph end in the last third, otherwise after a word with an ellipsis. */
function trimToGap(text: string): string {
  const paragraph = text.lastIndexOf('\n\n')
  if (paragraph > text.length * 0.67) return text.slice(0, paragraph)
  const word = text.lastIndexOf(' ')
  return `${text.slice(0, word > text.length * 0.9 ? word : undefined).trimEnd()}…`
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
