import { Bookmark } from 'lucide-react'
import { type ComponentType, createContext, memo, type ReactNode, type Ref, use, useState } from 'react'
import { maxQuoteLength, type quoteTargets, type SourceMessage } from '#contract/keepers/sources.ts'
import { BranchSwitch } from '#web/ui/controls/branch-switch.tsx'
import { Button } from '#web/ui/controls/button.tsx'
import { Menu, MenuItem } from '#web/ui/overlays/menu.tsx'
import { lazyComponent } from '#web/ui/panels/lazy-component.tsx'
import { Skeleton } from '#web/ui/panels/skeleton.tsx'
import { Time } from '#web/ui/text/time.tsx'

const DrawnPdfPage = lazyComponent(
  async () => (await import('./drawn-pdf-page.tsx')).DrawnPdfPage,
  <Skeleton className="h-[60dvh]" />,
)

/** How the page of a PDF is shown. */
interface PageView {
  isDrawn: boolean
  onDrawnChange: (isDrawn: boolean) => void
  loadOriginal: () => Promise<Blob>
  onFailed: () => void
}

interface SourceMessageViewProps {
  ref: Ref<HTMLLIElement> | undefined
  isOpened: boolean
  message: SourceMessage
  /** The page or part of a document. */
  partName: string | undefined
  isPlain: boolean
  pageView: PageView | undefined
  /** The name of the app that answers. */
  assistant: string
  /** Alternatives to this message in other branches, including itself. */
  branches: string[]
  onShowBranch: (id: string) => void
  onKeep: ((target: KeepTarget) => Promise<void>) | undefined
}

export function SourceMessageView({
  ref,
  isOpened,
  message,
  partName,
  isPlain,
  pageView,
  assistant,
  branches,
  onShowBranch,
  onKeep,
}: SourceMessageViewProps) {
  const { id, role, text, at, model } = message
  const speaker = getSpeaker(role, assistant)
  return (
    <li
      ref={ref}
      tabIndex={-1}
      aria-current={isOpened || undefined}
      className="group min-w-0 rounded-xs outline-offset-8 aria-[current]:ring-2 aria-[current]:ring-ribbon aria-[current]:ring-offset-8 aria-[current]:ring-offset-background"
    >
      <div className="mb-1 flex min-h-8 flex-wrap items-center gap-x-2 text-small text-muted-foreground">
        {speaker && <span className="font-semibold text-foreground">{speaker}</span>}
        {partName && <span className="font-semibold text-foreground first-letter:uppercase">{partName}</span>}
        {model && <span className="wrap-anywhere">{model}</span>}
        {at && <Time value={at} timeStyle="date-time" />}
        <span data-chrome className="ms-auto flex items-center gap-1">
          {pageView && (
            <Button size="small" variant="plain" onClick={() => pageView.onDrawnChange(!pageView.isDrawn)}>
              {pageView.isDrawn ? 'Show text' : 'Show page'}
            </Button>
          )}
          <BranchSwitch
            id={id}
            branches={branches}
            isAnswer={role === 'assistant'}
            onShow={onShowBranch}
            disabled={false}
          />
          {onKeep && text.length <= maxQuoteLength && <KeepMenu onKeep={onKeep}>Keep this</KeepMenu>}
        </span>
      </div>
      <div
        dir="auto"
        data-message={id}
        className={
          role === 'person'
            ? 'rounded-lg bg-secondary px-4 py-3 text-[0.9375rem] leading-[1.4375rem] wrap-anywhere text-secondary-foreground'
            : 'font-serif text-[1.125rem] leading-[1.8125rem] wrap-anywhere phone:text-[1.0625rem] phone:leading-[1.625rem]'
        }
      >
        <MessageContent message={message} isPlain={isPlain} pageView={pageView} />
      </div>
    </li>
  )
}

type MessageContentProps = Pick<SourceMessageViewProps, 'message' | 'isPlain' | 'pageView'>

function MessageContent({ message: { page, role, text }, isPlain, pageView }: MessageContentProps) {
  if (pageView?.isDrawn && page !== undefined)
    return <DrawnPdfPage number={page} loadOriginal={pageView.loadOriginal} onFailed={pageView.onFailed} />
  if (!isPlain) return <MessageText text={text} isDocument={role === 'document'} />
  return (
    <p dir="auto" className="whitespace-pre-wrap">
      {text}
    </p>
  )
}

function getSpeaker(role: SourceMessage['role'], assistant: string): string | undefined {
  if (role === 'person') return 'You'
  return role === 'assistant' ? assistant : undefined
}

const MessageText = memo(function MessageText({ text, isDocument }: { text: string; isDocument: boolean }) {
  const { Message, Document } = use(SourceMarkdownContext)
  return isDocument ? <Document text={text} /> : <Message text={text} />
})

export type KeepTarget = (typeof quoteTargets)[number]

interface KeepMenuProps {
  onKeep: (target: KeepTarget) => Promise<void>
  side?: 'top' | 'bottom'
  children: ReactNode
}

export function KeepMenu({ onKeep, side = 'bottom', children }: KeepMenuProps) {
  const [isBusy, setBusy] = useState(false)
  async function keep(target: KeepTarget) {
    setBusy(true)
    await onKeep(target)
    setBusy(false)
  }
  return (
    <Menu
      side={side}
      trigger={
        <Button variant="plain" size="small" busy={isBusy} icon={<Bookmark aria-hidden size={14} />}>
          {children}
        </Button>
      }
    >
      <MenuItem onSelect={() => void keep('reflection')}>As a reflection</MenuItem>
      <MenuItem onSelect={() => void keep('moment')}>As a moment of that day</MenuItem>
    </Menu>
  )
}

type TextView = ComponentType<{ text: string }>

const Plain: TextView = ({ text }) => text

/** The page provides the components, because the Markdown renderer belongs to another area. */
export const SourceMarkdownContext = createContext<{ Message: TextView; Document: TextView }>({
  Message: Plain,
  Document: Plain,
})
