import { Link } from 'react-router'
import { getPigmentInk } from '../pigments.ts'
import type { TopicDetails } from './topic-queries.ts'

interface RelatedTopicsProps {
  topic: TopicDetails
  getTopicPath: (id: string) => string
}

export function RelatedTopics({ topic, getTopicPath }: RelatedTopicsProps) {
  const maxCount = Math.max(...topic.together.map(({ count }) => count), 1)
  return (
    <section aria-label="Often mentioned with">
      <h4 className="mb-2 text-ui font-label text-muted-foreground">Often mentioned with</h4>
      {topic.together.length === 0 ? (
        <p className="text-small text-muted-foreground">No other topics yet.</p>
      ) : (
        <ul className="flex flex-col gap-1.5">
          {topic.together.map((other) => (
            <li key={other.id}>
              <Link
                to={getTopicPath(other.id)}
                preventScrollReset
                className="group grid min-h-6 grid-cols-[minmax(0,7rem)_1fr_auto] items-center gap-2 text-ui phone:min-h-9"
              >
                <span className="truncate group-hover:underline">{other.name}</span>
                <span aria-hidden className="h-2 rounded-full bg-muted">
                  <span
                    className="block h-2 rounded-full"
                    style={{ width: `${(other.count / maxCount) * 100}%`, background: getPigmentInk(other.color) }}
                  />
                </span>
                <span className="text-small tabular-nums text-muted-foreground">
                  {other.count}
                  <span className="sr-only">{other.count === 1 ? ' time' : ' times'} together</span>
                </span>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
