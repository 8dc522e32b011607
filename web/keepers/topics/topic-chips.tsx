import { Pin } from 'lucide-react'
import { Link } from 'react-router'
import type { Topic } from '#contract/keepers/topics.ts'
import { classNames } from '#web/ui/hooks/class-names.ts'
import { getPigmentFill } from '../pigments.ts'

interface TopicChipsProps {
  topics: readonly Topic[]
  openId: string | null
  getTopicPath: (id: string) => string
}

export function TopicChips({ topics, openId, getTopicPath }: TopicChipsProps) {
  return (
    <ul aria-label="Topics" className="flex flex-wrap gap-2">
      {topics.map((topic) => (
        <li key={topic.id} className="max-w-full">
          <Link
            to={getTopicPath(topic.id)}
            preventScrollReset
            aria-current={topic.id === openId ? 'true' : undefined}
            className={classNames(
              'flex h-8 max-w-full items-center gap-2 rounded-full border px-3 text-ui transition-colors duration-120 phone:h-10',
              topic.id === openId
                ? 'border-foreground bg-foreground text-background'
                : 'border-border bg-card hover:bg-muted',
            )}
          >
            <span aria-hidden className={classNames('size-2.5 shrink-0 rounded-full', getPigmentFill(topic.color))} />
            <span className="truncate">{topic.name}</span>
            {topic.pinned && <Pin aria-label="pinned" size={12} />}
            <span className="text-small tabular-nums opacity-80">
              {topic.total}
              <span className="sr-only">{topic.total === 1 ? ' time' : ' times'}</span>
            </span>
          </Link>
        </li>
      ))}
    </ul>
  )
}
