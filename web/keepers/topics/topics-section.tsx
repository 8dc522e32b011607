import { useQueryClient } from '@tanstack/react-query'
import { Pin, Plus } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router'
import type { Keeper } from '#contract/keepers/keepers.ts'
import type { Topic } from '#contract/keepers/topics.ts'
import { isNotFound } from '#web/api/api.ts'
import { changeParams, useAddressParams } from '#web/page/use-address-params.ts'
import { QueryStatus } from '#web/queries/query-status.tsx'
import { Button } from '#web/ui/controls/button.tsx'
import { SearchField } from '#web/ui/fields/search-field.tsx'
import { classNames } from '#web/ui/hooks/class-names.ts'
import { EmptyPanel } from '#web/ui/panels/empty-panel.tsx'
import { useWhenLoaded } from '../dashboard/use-when-loaded.ts'
import { keeperKey } from '../keeper-queries.ts'
import { QueuedChangesNote } from '../list-end.tsx'
import { getPigmentFill } from '../pigments.ts'
import { TopicForm } from './topic-form.tsx'
import { TopicPanel } from './topic-panel.tsx'
import { filterTopics, useTopic, useTopics } from './topic-queries.ts'

/** The topics of a keeper; `?topic=` opens one below the list. */
export function TopicsSection({ keeper, onLoaded }: { keeper: Keeper; onLoaded?: () => void }) {
  const queryClient = useQueryClient()
  const [params, changeAddress] = useAddressParams({ preventScrollReset: true })
  const result = useTopics(keeper)
  const { data: topics } = result
  useWhenLoaded(result.isPending, onLoaded)
  const [searchText, setSearchText] = useState('')
  const [isCreating, setIsCreating] = useState(false)
  const openId = params.get('topic')

  const getTopicPath = (id: string | null) => `?${changeParams(params, { topic: id })}`
  const openTopic = async (id: string | null) => changeAddress({ topic: id })
  const newButton = (
    <Button icon={<Plus aria-hidden size={15} />} onClick={() => setIsCreating(true)}>
      New topic
    </Button>
  )
  const matchingTopics = topics && filterTopics(topics, searchText)

  return (
    <div className="min-w-0">
      <div className="mb-4 flex flex-wrap items-center gap-3">
        <h2 className="flex-1">Topics</h2>
        {topics && topics.length > 0 && (
          <>
            <SearchField
              label="Search topics"
              value={searchText}
              onValueChange={setSearchText}
              className="w-56 phone:order-last phone:w-full"
            />
            {newButton}
          </>
        )}
      </div>
      <QueuedChangesNote keeperId={keeper.id} kinds={['Topic']} />
      <QueryStatus query={result} skeletonClassName="h-24" />
      {topics?.length === 0 && (
        <EmptyPanel drawing="leaf" title="No topics yet" action={newButton}>
          Name a topic when you write, and everything you say about it gathers here.
        </EmptyPanel>
      )}
      {matchingTopics && matchingTopics.length > 0 && (
        <TopicChips topics={matchingTopics} openId={openId} getTopicPath={getTopicPath} />
      )}
      {matchingTopics?.length === 0 && searchText !== '' && (
        <p role="status" className="flex flex-wrap items-center gap-2 py-3 text-muted-foreground">
          No topics match “{searchText}”.
          <Button size="small" onClick={() => setSearchText('')}>
            Clear
          </Button>
        </p>
      )}
      {openId !== null && topics && (
        <OpenTopic
          keeper={keeper}
          key={openId}
          id={openId}
          panel={{
            otherTopics: topics.filter(({ id }) => id !== openId),
            getTopicPath,
            openTopic,
            onChanged: () => queryClient.invalidateQueries({ queryKey: keeperKey(keeper.id) }),
          }}
        />
      )}
      {isCreating && (
        <TopicForm keeperId={keeper.id} onSaved={(id) => void openTopic(id)} onClose={() => setIsCreating(false)} />
      )}
    </div>
  )
}

interface OpenTopicProps {
  keeper: Keeper
  id: string
  panel: Omit<Parameters<typeof TopicPanel>[0], 'keeper' | 'topic' | 'mentionPages' | 'onLeavingChange'>
}

function OpenTopic({ keeper, id, panel }: OpenTopicProps) {
  const [isDeleting, setIsDeleting] = useState(false)
  const query = useTopic(keeper, id, isDeleting)
  if (query.data)
    return (
      <TopicPanel keeper={keeper} topic={query.data} mentionPages={query} onLeavingChange={setIsDeleting} {...panel} />
    )
  if (isNotFound(query.error))
    return <p className="mt-5 text-muted-foreground">This topic was deleted or merged into another one.</p>
  return (
    <div className="mt-5">
      <QueryStatus query={query} skeletonClassName="h-64" />
    </div>
  )
}

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
            <span dir="auto" className="truncate">
              {topic.name}
            </span>
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
