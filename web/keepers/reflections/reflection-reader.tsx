import { History, Pencil, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { type Reflection, reflections } from '#contract/keepers/reflections.ts'
import { isDemoKeeper } from '#contract/samples/demo-ids.ts'
import { call } from '#web/api/api.ts'
import { getConflict } from '#web/offline/conflict-dialog.tsx'
import { HistoryDialog } from '#web/offline/history-dialog.tsx'
import { notifyDeleted } from '#web/offline/notify-deleted.tsx'
import { Button } from '#web/ui/controls/button.tsx'
import { LinkButton } from '#web/ui/controls/link-button.tsx'
import { PrintButton } from '#web/ui/controls/print-button.tsx'
import { showToast } from '#web/ui/overlays/show-toast.tsx'
import { Badge } from '#web/ui/panels/badge.tsx'
import { Banner } from '#web/ui/panels/banner.tsx'
import { Card } from '#web/ui/panels/card.tsx'
import { BackLink } from '#web/ui/panels/page-header.tsx'
import { Ribbon } from '#web/ui/panels/ribbon.tsx'
import { SavedLabel } from '#web/ui/panels/saved-label.tsx'
import { Time } from '#web/ui/text/time.tsx'
import { WrittenText } from '#web/ui/text/written-text.tsx'
import { getEditingPath, getTabPath } from './journal-context.ts'
import { sendReflectionChanges, useInvalidateJournal, useReflection, withErrorLog } from './journal-queries.ts'
import { KeepChoice } from './keep-choice.tsx'
import {
  DateGutter,
  PrintedReflection,
  ReflectionStatus,
  UnsavedChange,
  useUnsavedChange,
  WritingFrame,
} from './reflection-parts.tsx'

export function ReflectionReader({ id }: { id: string }) {
  // Stops fetching the reflection while it is being deleted.
  const [isDeleting, setIsDeleting] = useState(false)
  const query = useReflection(id, !isDeleting)
  const { reflection, isUnsent } = query
  return (
    <>
      <BackLink data-chrome to={getTabPath('all')} size="small" className="-ms-2.5 mb-3">
        All reflections
      </BackLink>
      {reflection && <ReflectionView {...{ reflection, isUnsent, isDeleting }} onDeletingChange={setIsDeleting} />}
      {!reflection && <ReflectionStatus query={query} className="mx-auto h-[480px] max-w-[38rem]" />}
    </>
  )
}

interface ReflectionViewProps {
  reflection: Reflection
  /** Not yet on the server, so it can only be read and edited. */
  isUnsent: boolean
  isDeleting: boolean
  onDeletingChange: (isDeleting: boolean) => void
}

function ReflectionView(props: ReflectionViewProps) {
  const { reflection } = props
  const { keeperId } = reflection
  const [isJustKept, setJustKept] = useState(false)
  const isKept = reflection.promotedToMemoryCard
  const { hasUnsavedChange } = useUnsavedChange(reflection)
  return (
    <WritingFrame
      gutter={<DateGutter at={reflection.createdAt} />}
      margin={
        <aside
          data-chrome
          aria-label="This reflection"
          className="flex flex-col items-start gap-3 pt-[30px] phone:px-1.5 phone:pt-6"
        >
          {isKept ? (
            <>
              <SavedLabel>Kept as a memory card</SavedLabel>
              <p className="text-small text-muted-foreground">
                This reflection is locked because you kept it as a memory card. Deleting it doesn’t delete the card.
              </p>
              {!isDemoKeeper(keeperId) && reflection.memoryCardId && (
                <LinkButton size="small" to={`/keeper/${keeperId}/memory-cards?card=${reflection.memoryCardId}`}>
                  Open the card
                </LinkButton>
              )}
              {hasUnsavedChange && <UnsavedChange reflection={reflection} />}
            </>
          ) : (
            <KeepChoice reflection={reflection} onKept={() => setJustKept(true)} />
          )}
          <ReflectionActions {...props} />
        </aside>
      }
    >
      <Card kind="paper" padded={false} className="min-h-[480px] phone:-mx-1.5 print:hidden">
        {isKept && <Ribbon isDropping={isJustKept} />}
        <div className="border-b border-hairline px-11 pt-[22px] pb-4 phone:px-5 phone:pt-4 phone:pb-3">
          <h2 className="pe-6 text-[1.375rem] leading-7 wrap-break-word">
            {reflection.topic ?? <Time value={reflection.createdAt} timeStyle="day" />}
          </h2>
          <p className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-1 text-small text-muted-foreground">
            <Time value={reflection.createdAt} timeStyle="date-time" />
            {!reflection.aiVisible && <Badge>Not for AI</Badge>}
          </p>
        </div>
        <div
          data-reading
          className="px-11 py-[26px] font-serif text-write wrap-break-word phone:px-5 phone:py-5 phone:text-[1.1875rem] phone:leading-[1.9375rem]"
        >
          <WrittenText text={reflection.content} />
        </div>
      </Card>
      <PrintedReflection writing={reflection} at={reflection.createdAt} />
    </WritingFrame>
  )
}

function ReflectionActions({ reflection, isUnsent, isDeleting, onDeletingChange }: ReflectionViewProps) {
  const invalidateJournal = useInvalidateJournal()
  const navigate = useNavigate()
  const [isHistoryOpen, setHistoryOpen] = useState(false)
  const [hasDeleteFailed, setHasDeleteFailed] = useState(false)

  async function remove() {
    setHasDeleteFailed(false)
    onDeletingChange(true)
    try {
      await withErrorLog('Failed to delete reflection', call(reflections.remove, { params: { id: reflection.id } }))
      notifyDeleted('Reflection', 'reflection', reflection.id, invalidateJournal)
      navigate(getTabPath('all'))
      await invalidateJournal()
    } catch {
      onDeletingChange(false)
      setHasDeleteFailed(true)
    }
  }

  // Restores the text only; AI visibility stays as it is.
  async function restore({ topic, content }: Record<string, unknown>) {
    const text = { topic: String(topic ?? ''), content: String(content ?? '') }
    try {
      const { state } = await sendReflectionChanges(reflection, text, reflection.rev)
      if (state === 'queued') void showToast('Saved in this browser. It will be sent when the server can be reached.')
    } catch (reason) {
      throw new Error(
        getConflict(reason)
          ? 'This reflection was saved elsewhere. Review the newer version, then restore.'
          : 'The version couldn’t be restored. Nothing was changed.',
      )
    } finally {
      await invalidateJournal()
    }
  }

  return (
    <>
      <div className="-ms-2.5 flex flex-col items-start phone:ms-0 phone:flex-row phone:flex-wrap">
        {!reflection.promotedToMemoryCard && (
          <LinkButton
            size="small"
            variant="plain"
            to={getEditingPath(reflection.id)}
            icon={<Pencil aria-hidden size={14} />}
          >
            Edit
          </LinkButton>
        )}
        <PrintButton size="small" variant="plain" />
        {!isUnsent && (
          <>
            <Button
              size="small"
              variant="plain"
              icon={<History aria-hidden size={14} />}
              onClick={() => setHistoryOpen(true)}
            >
              History
            </Button>
            <Button
              size="small"
              variant="danger-text"
              icon={<Trash2 aria-hidden size={14} />}
              busy={isDeleting}
              onClick={remove}
            >
              Delete
            </Button>
          </>
        )}
      </div>
      {hasDeleteFailed && (
        <Banner tone="error" onDismiss={() => setHasDeleteFailed(false)}>
          The reflection couldn’t be deleted. Try again.
        </Banner>
      )}
      <HistoryDialog
        entity="reflection"
        id={reflection.id}
        current={{ ...reflection }}
        fields={['topic', 'content']}
        onRestore={reflection.promotedToMemoryCard ? undefined : restore}
        open={isHistoryOpen}
        onOpenChange={setHistoryOpen}
      />
    </>
  )
}
