import { CloudOff, EyeOff, MapPin, Pencil } from 'lucide-react'
import { type ReactNode, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { formatWeather } from '#contract/keepers/format-moment.ts'
import type { Keeper } from '#contract/keepers/keepers.ts'
import { type Moment, moments } from '#contract/keepers/moments.ts'
import { isDemoKeeper } from '#contract/samples/demo-ids.ts'
import { call } from '#web/api/api.ts'
import { notifyDeleted } from '#web/offline/notify-deleted.tsx'
import { sendOrQueue } from '#web/offline/send-or-queue.ts'
import { usePendingWrites } from '#web/offline/use-pending-writes.ts'
import { IconButton } from '#web/ui/controls/icon-button.tsx'
import { quietLinkClasses } from '#web/ui/controls/quiet-link.ts'
import { MenuItem } from '#web/ui/overlays/menu.tsx'
import { showToast } from '#web/ui/overlays/show-toast.tsx'
import { lazyComponent } from '#web/ui/panels/lazy-component.tsx'
import { SavedLabel } from '#web/ui/panels/saved-label.tsx'
import { Skeleton } from '#web/ui/panels/skeleton.tsx'
import { EntryMenu } from '../entries/entry-menu.tsx'
import { useKeeperWrite } from '../use-keeper-write.ts'
import { MomentBody, MomentMedia, MomentRow } from './moment-body.tsx'
import { applyMomentWrites, formatMood } from './moment-draft.ts'
import { useInvalidateMoments } from './moment-queries.ts'

const MomentEditor = lazyComponent(
  async () => (await import('./moment-editor.tsx')).MomentEditor,
  <Skeleton className="h-40" />,
)

interface MomentCardProps {
  keeper: Keeper
  moment: Moment
  /** Makes topics clickable. */
  openTopic?: (name: string) => void
}

export function MomentCard({ keeper, moment: savedMoment, openTopic }: MomentCardProps) {
  const [editing, setEditing] = useState(false)
  const articleRef = useRef<HTMLElement>(null)
  const writes = usePendingWrites(keeper.id)
  const isQueued = writes.some(({ thing: momentId }) => momentId === savedMoment.id)
  const moment = applyMomentWrites(savedMoment, writes)
  const actions = useMomentActions(keeper, moment)
  const isDemo = isDemoKeeper(keeper.id)
  const { title, body, media, topics, mood, place, weather, pinned } = moment
  const weatherText = weather && formatWeather(weather)

  function closeEditor() {
    setEditing(false)
    // The menu button exists only after the text is rendered again.
    setTimeout(() => articleRef.current?.querySelector<HTMLElement>('[data-more]')?.focus(), 0)
  }

  return (
    <MomentRow ref={articleRef} data-item moment={moment} isPinned={pinned}>
      {editing ? (
        <div className="min-w-0 pb-6">
          <MomentEditor keeper={keeper} moment={moment} onClose={closeEditor} />
        </div>
      ) : (
        <div className="group/moment min-w-0 pb-6">
          {/* On a phone, the first line ends before the tools and later lines continue below them. */}
          <div className="flex flex-row-reverse items-start justify-end gap-2 phone:block">
            {!isDemo && <MomentCardTools moment={moment} actions={actions} onEdit={() => setEditing(true)} />}
            <div className="min-w-0 max-w-[38rem] flex-1">
              {title && (
                <h3 dir="auto" className="mb-0.5 wrap-break-word">
                  {title}
                </h3>
              )}
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
              <TopicChip key={id} name={name} openTopic={openTopic} />
            ))}
            {mood && <DetailItem>{formatMood(mood)}</DetailItem>}
            {place && (
              <DetailItem>
                <MapPin aria-hidden size={12} className="me-1 inline" />
                {place.name}
              </DetailItem>
            )}
            {weatherText && <DetailItem>{weatherText}</DetailItem>}
            {!moment.aiVisible && (
              <DetailItem>
                <EyeOff aria-hidden size={12} className="me-1 inline" />
                Not for AI
              </DetailItem>
            )}
            {isQueued && (
              <DetailItem>
                <CloudOff aria-hidden size={12} className="me-1 inline" />
                Changes waiting to be sent
              </DetailItem>
            )}
            <span className="ms-auto flex items-center gap-3">
              {pinned && <SavedLabel />}
              {!isDemo && (
                <button type="button" onClick={actions.reflect} className={quietLinkClasses}>
                  Reflect on this
                </button>
              )}
            </span>
          </div>
        </div>
      )}
    </MomentRow>
  )
}

interface MomentCardToolsProps {
  moment: Moment
  actions: ReturnType<typeof useMomentActions>
  onEdit: () => void
}

function MomentCardTools({ moment, actions, onEdit }: MomentCardToolsProps) {
  return (
    <div data-chrome className="-mt-1 flex shrink-0 phone:float-end phone:ms-2 phone:-mb-3">
      <IconButton label="Edit" size="small" aria-keyshortcuts="E" onClick={onEdit}>
        <Pencil aria-hidden size={14} />
      </IconButton>
      <EntryMenu
        label="More"
        size="small"
        keeperId={moment.keeperId}
        entity="moment"
        entry={moment}
        history={{ onRestore: actions.restoreText }}
        showsReads
        deleteLabel="Delete"
        onDelete={actions.remove}
      >
        <MenuItem icon={<span aria-hidden className="mx-1 h-3.5 w-2 spine bg-ribbon" />} onSelect={actions.pin}>
          {moment.pinned ? 'Remove the ribbon' : 'Keep'}
        </MenuItem>
      </EntryMenu>
    </div>
  )
}

function TopicChip({ name, openTopic }: { name: string; openTopic: MomentCardProps['openTopic'] }) {
  const classes =
    'tap-area inline-flex min-h-6 max-w-full items-center rounded-[5px] wrap-anywhere bg-secondary px-2 font-label text-secondary-foreground'
  if (!openTopic)
    return (
      <span dir="auto" className={classes}>
        {name}
      </span>
    )
  return (
    <a
      dir="auto"
      href={`?topic=${encodeURIComponent(name)}`}
      onClick={(event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey) return
        event.preventDefault()
        openTopic(name)
      }}
      className={`${classes} hover:bg-muted`}
    >
      {name}
    </a>
  )
}

function DetailItem({ children }: { children: ReactNode }) {
  return <span className="max-w-full px-1 text-muted-foreground wrap-anywhere">{children}</span>
}

/** Actions on a moment other than editing. Failures show a toast. */
function useMomentActions(keeper: Keeper, moment: Moment) {
  const invalidateMoments = useInvalidateMoments(keeper.id)
  const write = useKeeperWrite(keeper.id)
  const navigate = useNavigate()
  const params = { id: moment.id }
  const withErrorToast = async (failureText: string, action: () => Promise<unknown>) => {
    try {
      await action()
    } catch (reason) {
      await showToast(`${failureText} ${reason instanceof Error ? reason.message : ''}`)
    }
  }
  return {
    pin: () =>
      withErrorToast('The ribbon couldn’t be changed.', () =>
        write(moments.update, { params, body: { pinned: !moment.pinned } }, 'Moment'),
      ),
    /** Restores the text of an earlier version. @throws ApiError */
    restoreText({ title, body }: Record<string, unknown>) {
      const restoredText = { title: (title as string | null | undefined) ?? null, body: String(body ?? '') }
      return write(moments.update, { params, body: restoredText, ifMatch: moment.rev }, 'Moment')
    },
    remove: () =>
      withErrorToast('The moment couldn’t be deleted.', async () => {
        const { state } = await sendOrQueue(moments.remove, { params }, { what: 'Moment', keeperId: keeper.id })
        if (state === 'queued') return showToast('The moment will be deleted as soon as the server can be reached.')
        await invalidateMoments()
        notifyDeleted('Moment', 'moment', moment.id, invalidateMoments)
      }),
    reflect: () =>
      withErrorToast('The reflection couldn’t be started.', async () => {
        const { id } = await call(moments.reflect, { params })
        await navigate(`/keeper/${encodeURIComponent(keeper.id)}/reflection-journal?tab=write&reflection=${id}`)
      }),
  }
}
