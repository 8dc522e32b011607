import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { SearchMark } from '#contract/search/search-excerpt.ts'
import { MarkedText } from '#web/ui/text/marked-text.tsx'
import { Time } from '#web/ui/text/time.tsx'

interface HitItemProps {
  to: string
  title: string
  titleMarks: readonly SearchMark[]
  excerpt: string
  marks: readonly SearchMark[]
  badge: ReactNode
  place?: string
  day: string
}

const markClasses = 'rounded-xs bg-ribbon-soft text-foreground'

/** The link covers the whole item. An entry without a title is named by its text. */
export function HitItem({ to, title, titleMarks, excerpt, marks, badge, place, day }: HitItemProps) {
  const text = <MarkedText text={excerpt} marks={marks} className={markClasses} />
  const linkClasses =
    'after:absolute after:inset-0 after:rounded-[inherit] hover:underline focus-visible:outline-hidden focus-visible:after:outline-2 focus-visible:after:outline-ring'
  return (
    <li className="relative rounded-lg border border-border bg-card px-4 py-3 transition-shadow duration-120 hover:shadow-e2">
      <p className="mb-1 flex flex-wrap items-center gap-x-2 gap-y-1 text-small text-muted-foreground">
        {badge}
        {place}
        <Time value={`${day}T12:00:00`} title={undefined} />
      </p>
      {title ? (
        <>
          <Link to={to} data-hit className={`font-label wrap-anywhere ${linkClasses}`}>
            <MarkedText text={title} marks={titleMarks} className={markClasses} />
          </Link>
          {excerpt && <p className="mt-0.5 line-clamp-3 font-serif text-[16px] wrap-anywhere">{text}</p>}
        </>
      ) : (
        <Link to={to} data-hit className={`line-clamp-3 font-serif text-[16px] wrap-anywhere ${linkClasses}`}>
          {excerpt ? text : 'Without words'}
        </Link>
      )}
    </li>
  )
}
