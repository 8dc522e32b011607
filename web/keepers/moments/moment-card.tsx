import { CloudOff, Eye, EyeOff, History, MapPin, MoreHorizontal, Pencil, Trash2 } from 'lucide-react'
import { lazy, type ReactNode, Suspense, useRef, useState } from 'react'
import type { Keeper } from '#contract/keepers/keepers.ts'
import type { Moment } from '#contract/keepers/moments.ts'
import { weatherWords } from '#contract/keepers/weather-words.ts'
import { usePendingWrites } from '#web/offline/use-pending-writes.ts'
import { IconButton } from '#web/ui/icon-button.tsx'
import { Kept } from '#web/ui/kept.tsx'
import { Menu, MenuItem } from '#web/ui/menu.tsx'
import { quietLink } from '#web/ui/quiet-link.ts'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { isDemoKeeper } from '../demo/is-demo-keeper.ts'
import { ReadBy } from '../reads/read-by.tsx'
import { plainExcerpt } from '../reflections/plain-excerpt.ts'
import { LivedClock } from './lived-clock.tsx'
import { MomentBody } from './moment-markdown.tsx'
import { MomentMedia } from './moment-media.tsx'
import { momentWithWaiting, moodWord } from './moment-writing.ts'
import { useMomentDeeds } from './use-moment-deeds.ts'

const HistoryView = lazy(() =>
  import('#web/offline/history-view.tsx').then((module) => ({ default: module.HistoryView })),
)
const MomentEditor = lazy(() => import('./moment-editor.tsx').then((module) => ({ default: module.MomentEditor })))

interface MomentCardProps {
  keeper: Keeper
  moment: Moment
  /** Makes topics clickable. */
  onTopic?: (name: string) => void
}

export function MomentCard({ keeper, moment: given, onTopic }: MomentCardProps) {
  const [editing, setEditing] = useState(false)
  const box = useRef<HTMLElement>(null)
  const writes = usePendingWrites(keeper.id)
  const waits = writes.some(({ thing }) => thing === given.id)
  const moment = momentWithWaiting(given, writes)
  const deeds = useMomentDeeds(keeper, moment)
  const demo = isDemoKeeper(keeper.id)
  const { title, body, media, topics, mood, place, weather, pinned } = moment
  const sky = weather && weatherWords(weather)

  function close() {
    setEditing(false)
    // After the text is rendered again.
    setTimeout(() => box.current?.querySelector<HTMLElement>('[data-more]')?.focus(), 0)
  }

  return (
    <article
      ref={box}
      data-item
      data-moment={moment.id}
      aria-label={title ?? (plainExcerpt(body, 60) || 'Moment')}
      className="grid grid-cols-[56px_24px_minmax(0,1fr)] phone:grid-cols-[48px_22px_minmax(0,1fr)]"
    >
      <div className="pt-px font-serif text-lead text-muted-foreground tabular-nums">
        <LivedClock moment={moment} />
      </div>
      <div aria-hidden className="relative flex justify-center">
        <span className="absolute inset-y-0 w-px bg-border" />
        {pinned ? (
          <span className="relative mt-1 h-4 w-[9px] spine bg-ribbon" />
        ) : (
          <span className="relative mt-2 size-[9px] rounded-full border-[1.5px] border-input bg-background" />
        )}
      </div>
      {editing ? (
        <div className="min-w-0 pb-6">
          <Suspense fallback={<Skeleton className="h-40" />}>
            <MomentEditor keeper={keeper} moment={moment} onClose={close} />
          </Suspense>
        </div>
      ) : (
        <div className="group/moment min-w-0 pb-6">
          {/* On a phone the text flows around the tools. */}
          <div className="flex flex-row-reverse items-start justify-end gap-2 phone:block">
            {!demo && <More moment={moment} deeds={deeds} onEdit={() => setEditing(true)} />}
            <div className="min-w-0 max-w-[38rem] flex-1">
              {title && <h3 className="mb-0.5 wrap-break-word">{title}</h3>}
              {body.trim() !== '' && (
                <div className="font-serif text-read wrap-break-word phone:*:block phone:*:space-y-3">
                  <MomentBody text={body} />
                </div>
              )}
            </div>
          </div>
          <MomentMedia media={media} />
          <div className="mt-2 flex max-w-[38rem] flex-wrap items-center gap-1.5 text-small empty:hidden">
            {topics.map(({ id, name }) => (
              <TopicChip key={id} name={name} onTopic={onTopic} />
            ))}
            {mood && <Fact>{moodWord(mood)}</Fact>}
            {place && (
              <Fact>
                <MapPin aria-hidden size={12} className="me-1 inline" />
                {place.name}
              </Fact>
            )}
            {sky && <Fact>{sky}</Fact>}
            {!moment.aiVisible && (
              <Fact>
                <EyeOff aria-hidden size={12} className="me-1 inline" />
                Not for AI
              </Fact>
            )}
            {waits && (
              <Fact>
                <CloudOff aria-hidden size={12} className="me-1 inline" />
                Changes waiting to be sent
              </Fact>
            )}
            <span className="ms-auto flex items-center gap-3">
              {pinned && <Kept />}
              {!demo && (
                <button type="button" onClick={deeds.reflect} className={quietLink}>
                  Reflect on this
                </button>
              )}
            </span>
          </div>
        </div>
      )}
    </article>
  )
}

interface MoreProps {
  moment: Moment
  deeds: ReturnType<typeof useMomentDeeds>
  onEdit: () => void
}

function More({ moment, deeds, onEdit }: MoreProps) {
  const [looksBack, setLooksBack] = useState(false)
  const [asksWhoRead, setAsksWhoRead] = useState(false)
  return (
    <div data-chrome className="-mt-1 flex shrink-0 phone:float-end phone:ms-2">
      <IconButton label="Edit" size="small" aria-keyshortcuts="E" onClick={onEdit}>
        <Pencil aria-hidden size={14} />
      </IconButton>
      <Menu
        trigger={
          <IconButton label="More" size="small" data-more>
            <MoreHorizontal aria-hidden size={16} />
          </IconButton>
        }
      >
        <MenuItem icon={<span aria-hidden className="mx-1 h-3.5 w-2 spine bg-ribbon" />} onSelect={deeds.pin}>
          {moment.pinned ? 'Remove the ribbon' : 'Keep'}
        </MenuItem>
        <MenuItem icon={<History aria-hidden size={15} />} onSelect={() => setLooksBack(true)}>
          Earlier versions
        </MenuItem>
        <MenuItem icon={<Eye aria-hidden size={15} />} onSelect={() => setAsksWhoRead(true)}>
          Read by
        </MenuItem>
        <MenuItem icon={<Trash2 aria-hidden size={15} />} danger onSelect={deeds.remove}>
          Delete
        </MenuItem>
      </Menu>
      <ReadBy entity="moment" id={moment.id} open={asksWhoRead} onClose={() => setAsksWhoRead(false)} />
      {looksBack && (
        <Suspense fallback={null}>
          <HistoryView
            entity="moment"
            id={moment.id}
            open
            onOpenChange={setLooksBack}
            current={{ ...moment }}
            onRestore={deeds.bringBack}
          />
        </Suspense>
      )}
    </div>
  )
}

function TopicChip({ name, onTopic }: { name: string; onTopic: MomentCardProps['onTopic'] }) {
  const classes =
    'inline-flex min-h-6 max-w-full items-center rounded-[5px] wrap-anywhere bg-secondary px-2 font-label text-secondary-foreground'
  if (!onTopic) return <span className={classes}>{name}</span>
  return (
    <a
      href={`?topic=${encodeURIComponent(name)}`}
      onClick={(event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey) return
        event.preventDefault()
        onTopic(name)
      }}
      className={`${classes} hover:bg-muted`}
    >
      {name}
    </a>
  )
}

function Fact({ children }: { children: ReactNode }) {
  return <span className="max-w-full px-1 text-muted-foreground wrap-anywhere">{children}</span>
}
