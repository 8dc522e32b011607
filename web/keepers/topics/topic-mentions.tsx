import { useState } from 'react'
import { Link } from 'react-router'
import { ShowMore } from '#web/ui/controls/show-more.tsx'
import { Time } from '#web/ui/text/time.tsx'
import { entityLabels, getMentionPath } from './topic-labels.ts'
import type { TopicDetails } from './topic-queries.ts'

const mentionPageSize = 30

export interface EarlierMentions {
  load: () => void
  isLoading: boolean
  /** The last attempt to load more failed. */
  hasFailed: boolean
}

interface TopicMentionsProps {
  topic: TopicDetails
  earlier: EarlierMentions | undefined
  keeperId: string
}

export function TopicMentions({ topic, earlier, keeperId }: TopicMentionsProps) {
  const [visibleCount, setVisibleCount] = useState(mentionPageSize)
  const { mentions } = topic
  function showMore() {
    setVisibleCount(visibleCount + mentionPageSize)
    if (visibleCount + mentionPageSize > mentions.length) earlier?.load()
  }
  if (mentions.length === 0)
    return <p className="py-4 font-serif text-read text-muted-foreground italic">No mentions yet.</p>
  return (
    <>
      <ol aria-label={`Mentions of ${topic.name}`} className="flex flex-col">
        {mentions.slice(0, visibleCount).map((mention) => (
          <li
            key={`${mention.entity} ${mention.id}`}
            className="grid grid-cols-[7.5rem_minmax(0,1fr)] gap-x-4 border-b border-hairline py-3 last:border-0 phone:grid-cols-1"
          >
            <span className="text-small leading-6 text-muted-foreground">
              <Time value={mention.at} />
              <span className="desk:block">
                <span className="desk:hidden"> · </span>
                {entityLabels[mention.entity][0]}
              </span>
            </span>
            <Link to={getMentionPath(keeperId, mention)} className="block min-w-0 hover:underline">
              {mention.title && <span className="block font-medium wrap-break-word">{mention.title}</span>}
              <span className="block font-serif text-read wrap-break-word">{mention.excerpt || 'A picture'}</span>
            </Link>
          </li>
        ))}
      </ol>
      {(visibleCount < mentions.length || earlier) && (
        <ShowMore
          isFetchingNextPage={earlier?.isLoading ?? false}
          isFetchNextPageError={earlier?.hasFailed ?? false}
          fetchNextPage={showMore}
          className="mt-3"
        />
      )}
    </>
  )
}
