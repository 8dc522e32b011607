import { memo, Suspense } from 'react'
import type { Frame } from '#contract/boards/boards.ts'
import { type FrameType, getFrameTypeName, isFrameType } from '#contract/boards/frame-types.ts'
import { classNames } from '#web/ui/hooks/class-names.ts'
import { Skeleton } from '#web/ui/panels/skeleton.tsx'
import { type FrameBodyProps, type FrameContext, frameBodies } from './frame-bodies.ts'
import { FrameBoundary, FrameNote, unavailableByLinkText } from './frame-boundary.tsx'
import { FrameIcon } from './frame-icons.tsx'

interface FrameViewProps {
  frame: Frame
  context: FrameContext
  changeContent: (id: string, changes: Record<string, unknown>, gesture?: string) => void
  openSettings?: (id: string) => void
  className?: string
  /** Renders only the header. */
  isHeaderOnly?: boolean
  /** Makes the content focusable for scrolling; a canvas handles keys itself. */
  isKeyboardScrollable?: boolean
}

/** A frame with its header (`data-frame-head` is the drag handle) and content; fills its container. */
export const FrameView = memo(function FrameView({
  frame,
  context,
  changeContent,
  openSettings,
  className,
  isHeaderOnly = false,
  isKeyboardScrollable = false,
}: FrameViewProps) {
  const { id, data } = frame
  const typeName = getFrameTypeName(data.frameType)
  return (
    <section
      aria-label={data.name}
      data-frame={data.frameType}
      className={classNames(
        'flex h-full min-h-0 min-w-0 flex-col overflow-hidden rounded-lg border border-border bg-card text-card-foreground shadow-e2',
        className,
      )}
    >
      <header data-frame-head className="flex shrink-0 items-center gap-2 border-b border-border px-3 py-1.5">
        <FrameIcon name={data.icon} />
        <h3 dir="auto" className="min-w-0 grow truncate font-sans text-ui leading-5 font-semibold tracking-normal">
          {data.name}
        </h3>
        {typeName !== data.name && <span className="truncate text-small text-muted-foreground">{typeName}</span>}
      </header>
      <div
        className="nowheel min-h-0 grow overflow-auto focus-visible:-outline-offset-2"
        {...(isKeyboardScrollable && { tabIndex: 0, role: 'group', 'aria-label': `Content of ${data.name}` })}
      >
        {!isHeaderOnly && (
          <FrameBoundary content={data.content} onTryAgain={() => getFrameBody(data.frameType)?.tryAgain()}>
            <Suspense fallback={<Skeleton className="m-3 h-16" />}>
              <FrameBody
                frame={frame}
                context={context}
                changeContent={(changes, gesture) => changeContent(id, changes, gesture)}
                openSettings={openSettings && (() => openSettings(id))}
              />
            </Suspense>
          </FrameBoundary>
        )}
      </div>
    </section>
  )
})

const getFrameBody = (frameType: string) => (isFrameType(frameType) ? frameBodies[frameType] : undefined)

/** Replaces a frame for visitors with a link, who have no session; null shows the frame itself. */
const linkNotes: Partial<Record<FrameType, string | null>> = {
  media_card: null,
  code_snippet: null,
  process_frame: null,
  preview: null,
  dialog: 'Chats aren’t available through a link.',
  config_panel: 'Settings aren’t available through a link.',
  agent_preview: 'Sign in to run agents.',
}

function FrameBody(props: FrameBodyProps) {
  const { frameType } = props.frame.data
  const body = getFrameBody(frameType)
  if (!body || !isFrameType(frameType)) return <FrameNote>{`Frame type "${frameType}" is not supported.`}</FrameNote>
  const linkNote = linkNotes[frameType] === undefined ? unavailableByLinkText : linkNotes[frameType]
  const { linkToken, mode } = props.context
  if (linkNote && linkToken !== undefined && mode !== 'sample') return <FrameNote>{linkNote}</FrameNote>
  return <body.Component {...props} />
}
