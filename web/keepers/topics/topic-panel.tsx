import { Merge, Pencil, Pin, Undo2 } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router'
import type { Keeper } from '#contract/keepers/keepers.ts'
import { type Topic, topics } from '#contract/keepers/topics.ts'
import { isDemoKeeper } from '#contract/samples/demo-ids.ts'
import { call } from '#web/api/api.ts'
import { notifyDeleted } from '#web/offline/notify-deleted.tsx'
import { Button } from '#web/ui/controls/button.tsx'
import { IconButton } from '#web/ui/controls/icon-button.tsx'
import type { PagedList } from '#web/ui/controls/show-more.tsx'
import { ShowMore } from '#web/ui/controls/show-more.tsx'
import { SelectField } from '#web/ui/fields/select-field.tsx'
import { classNames } from '#web/ui/hooks/class-names.ts'
import { ConfirmDialog } from '#web/ui/overlays/confirm-dialog.tsx'
import { MenuItem } from '#web/ui/overlays/menu.tsx'
import { showToast } from '#web/ui/overlays/show-toast.tsx'
import { Card } from '#web/ui/panels/card.tsx'
import { getErrorMessage } from '#web/ui/text/error-message.ts'
import { Time } from '#web/ui/text/time.tsx'
import { withNames } from '#web/ui/text/with-names.tsx'
import { EntryMenu } from '../entries/entry-menu.tsx'
import { getPigmentFill, getPigmentInk } from '../pigments.ts'
import { Prose } from '../prose.tsx'
import { useAttempt } from '../use-attempt.tsx'
import { demoMessage, useKeeperWrite } from '../use-keeper-write.ts'
import { TopicForm } from './topic-form.tsx'
import type { TopicDetails } from './topic-queries.ts'
import { entityLabels, formatTopicCounts, getMentionPath } from './topic-queries.ts'

interface TopicPanelProps {
  keeper: Keeper
  topic: TopicDetails
  mentionPages: MentionPages
  otherTopics: readonly Topic[]
  getTopicPath: (id: string | null) => string
  /** Called with `true` before deletion or a merge and `false` afterwards or on failure. */
  onLeavingChange: (isLeaving: boolean) => void
  openTopic: (id: string | null) => Promise<void>
  onChanged: () => Promise<unknown>
}

const undoToastMs = 10_000

export function TopicPanel(props: TopicPanelProps) {
  const { keeper, topic, mentionPages, otherTopics, getTopicPath, onLeavingChange, openTopic, onChanged } = props
  const isDemo = isDemoKeeper(keeper.id)
  const write = useKeeperWrite(keeper.id)
  const { attempt, banner } = useAttempt('mt-3')
  const [openDialog, setOpenDialog] = useState<'edit' | 'merge'>()
  const closeDialog = () => setOpenDialog(undefined)
  const togglePin = () =>
    attempt(() => write(topics.update, { params: { id: topic.id }, body: { pinned: !topic.pinned } }, 'Topic'))
  const undoMerge = (mergeId: string) =>
    attempt(async () => {
      await call(topics.undoMerge, { params: { id: mergeId } })
      await onChanged()
    })

  async function remove() {
    if (isDemo) return void showToast(demoMessage)
    onLeavingChange(true)
    await attempt(async () => {
      await call(topics.remove, { params: { id: topic.id } })
      await openTopic(null)
      notifyDeleted('Topic', 'topic', topic.id, onChanged)
      await onChanged()
    })
    onLeavingChange(false)
  }
  async function handleMerged(target: Topic, mergeId: string) {
    await openTopic(target.id)
    await onChanged()
    void showToast(withNames`${topic.name} is now part of ${target.name}`, {
      durationMs: undoToastMs,
      onUndo: () => void undoAfterUnmount(() => call(topics.undoMerge, { params: { id: mergeId } })),
    })
  }
  // The panel can be unmounted by then, so errors go to a toast.
  async function undoAfterUnmount(action: () => Promise<unknown>) {
    try {
      await action()
      await onChanged()
    } catch (reason) {
      void showToast(getErrorMessage(reason))
    }
  }
  function handleRenamed({ name }: Topic) {
    const { id, name: previousName, aliases } = topic
    void showToast(withNames`${previousName} is now called ${name}`, {
      durationMs: undoToastMs,
      onUndo: () =>
        void undoAfterUnmount(() =>
          write(topics.update, { params: { id }, body: { name: previousName, aliases } }, 'Topic'),
        ),
    })
  }

  return (
    <Card role="region" aria-label={`Topic ${topic.name}`} className="mt-5">
      <header className="flex items-start gap-3">
        <span
          aria-hidden
          className={classNames('mt-2.5 size-3.5 shrink-0 rounded-full', getPigmentFill(topic.color))}
        />
        <div className="min-w-0 flex-1">
          <h3 dir="auto" className="text-[1.5rem] leading-[2rem] wrap-break-word">
            {topic.name}
          </h3>
          {topic.aliases.length > 0 && (
            <p className="text-small text-muted-foreground wrap-break-word">Also called {topic.aliases.join(', ')}</p>
          )}
        </div>
        <IconButton label="Pin topic" pressed={topic.pinned} onClick={() => void togglePin()}>
          <Pin aria-hidden size={16} />
        </IconButton>
        <EntryMenu
          label={`More for ${topic.name}`}
          keeperId={keeper.id}
          entity="topic"
          entry={topic}
          history={{
            fields: ['name', 'note'],
            onRestore: (body) => write(topics.update, { params: { id: topic.id }, body, ifMatch: topic.rev }, 'Topic'),
          }}
          deleteLabel="Delete topic"
          onDelete={remove}
        >
          <MenuItem icon={<Pencil aria-hidden size={15} />} onSelect={() => setOpenDialog('edit')}>
            Edit topic
          </MenuItem>
          <MenuItem
            icon={<Merge aria-hidden size={15} />}
            disabled={otherTopics.length === 0}
            onSelect={() => (isDemo ? void showToast(demoMessage) : setOpenDialog('merge'))}
          >
            Merge into another topic
          </MenuItem>
        </EntryMenu>
      </header>
      {banner}
      <Prose text={topic.note} className="mt-3" />
      {topic.firstSaidAt && topic.lastSaidAt && (
        <p className="mt-3 text-ui text-muted-foreground">
          First mentioned <Time value={topic.firstSaidAt} />, last mentioned <Time value={topic.lastSaidAt} />.{' '}
          {formatTopicCounts(topic.counts)}.
        </p>
      )}
      {topic.merges.length > 0 && (
        <ul aria-label="Merged topics" className="mt-3 flex flex-col gap-1.5">
          {topic.merges.map((merge) => (
            <li key={merge.id} className="flex flex-wrap items-center gap-2 text-ui">
              <span>
                “{merge.name}” was merged into this topic on <Time value={merge.mergedAt} />.
              </span>
              <Button
                size="small"
                icon={<Undo2 aria-hidden size={13} />}
                aria-label={`Undo merging ${merge.name}`}
                onClick={() => void undoMerge(merge.id)}
              >
                Undo
              </Button>
            </li>
          ))}
        </ul>
      )}
      <div className="mt-4 grid grid-cols-[minmax(0,1fr)_17rem] gap-8 phone:grid-cols-1">
        <div>
          <TopicMentions key={topic.id} topic={topic} pages={mentionPages} keeperId={keeper.id} />
        </div>
        <RelatedTopics topic={topic} getTopicPath={getTopicPath} />
      </div>
      {openDialog === 'edit' && (
        <TopicForm keeperId={keeper.id} topic={topic} onRenamed={handleRenamed} onClose={closeDialog} />
      )}
      {openDialog === 'merge' && (
        <MergeDialog
          topic={topic}
          otherTopics={otherTopics}
          onMergingChange={onLeavingChange}
          onMerged={handleMerged}
          onClose={closeDialog}
        />
      )}
    </Card>
  )
}

export function RelatedTopics({ topic, getTopicPath }: { topic: TopicDetails; getTopicPath: (id: string) => string }) {
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

interface MergeDialogProps {
  topic: Topic
  otherTopics: readonly Topic[]
  /** Called with `true` when merging starts and `false` if it fails. */
  onMergingChange: (isMerging: boolean) => void
  /** The merge can be undone by `mergeId`. */
  onMerged: (target: Topic, mergeId: string) => Promise<unknown>
  onClose: () => void
}

function MergeDialog({ topic, otherTopics, onMergingChange, onMerged, onClose }: MergeDialogProps) {
  const [targetId, setTargetId] = useState('')
  const target = otherTopics.find(({ id }) => id === targetId)

  async function merge() {
    if (!target) throw new Error('Choose a topic.')
    onMergingChange(true)
    try {
      const { mergeId } = await call(topics.merge, { params: { id: topic.id, targetId: target.id } })
      await onMerged(target, mergeId)
    } catch (reason) {
      onMergingChange(false)
      throw reason
    }
  }

  return (
    <ConfirmDialog
      open
      tone="primary"
      onOpenChange={(open) => !open && onClose()}
      title={withNames`Merge ${topic.name} into another topic?`}
      confirmLabel="Merge topics"
      busyLabel="Merging..."
      onConfirm={merge}
    >
      <SelectField
        label="Merge into"
        placeholder="Choose a topic"
        options={otherTopics.map(({ id, name, total }) => ({ value: id, label: `${name} (${total})` }))}
        value={targetId}
        onChange={(event) => setTargetId(event.currentTarget.value)}
        className="mb-3"
      />
      <p>
        Everything about <bdi>{topic.name}</bdi> will be filed under {target?.name ?? 'the other topic'}, and “
        <bdi>{topic.name}</bdi>” becomes another name for it. Your text stays as you wrote it, and you can undo the
        merge.
      </p>
    </ConfirmDialog>
  )
}

const mentionPageSize = 30

/** Earlier mentions are on later pages. */
type MentionPages = Pick<PagedList, 'hasNextPage' | 'isFetchingNextPage' | 'isFetchNextPageError' | 'fetchNextPage'>

interface TopicMentionsProps {
  topic: TopicDetails
  pages: MentionPages
  keeperId: string
}

export function TopicMentions({ topic, pages, keeperId }: TopicMentionsProps) {
  const [visibleCount, setVisibleCount] = useState(mentionPageSize)
  const { mentions } = topic
  function showMore() {
    setVisibleCount(visibleCount + mentionPageSize)
    if (visibleCount + mentionPageSize > mentions.length && pages.hasNextPage) pages.fetchNextPage()
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
      {(visibleCount < mentions.length || pages.hasNextPage) && (
        <ShowMore {...pages} fetchNextPage={showMore} className="mt-3" />
      )}
    </>
  )
}
