import { useInfiniteQuery } from '@tanstack/react-query'
import { type ReactNode, useMemo, useState } from 'react'
import { entries } from '#contract/keepers/entries.ts'
import { callEnvelope } from '#web/api/api.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { ShowMore } from '#web/ui/controls/show-more.tsx'
import { TextArea } from '#web/ui/fields/text-area.tsx'
import { Dialog } from '#web/ui/overlays/dialog.tsx'
import { Banner } from '#web/ui/panels/banner.tsx'
import { ErrorPanel } from '#web/ui/panels/error-panel.tsx'
import { Skeleton } from '#web/ui/panels/skeleton.tsx'
import { combineTexts, getDiffSegments } from '#web/ui/text/compare-texts.ts'
import { getErrorMessage } from '#web/ui/text/error-message.ts'
import { Time } from '#web/ui/text/time.tsx'
import type { ConflictDialogProps, ConflictField } from './conflict-dialog.tsx'
import type { HistoryDialogProps } from './history-dialog.tsx'
import { getWriteText } from './pending-write.ts'
import { useDraft } from './use-draft.ts'

/** The stored names predate the glossary: `yours` is the local version, `current` the saved one. */
interface EditedText {
  merged: string
  yours: string
  current: string
}
type VersionChoice = 'local' | 'remote' | 'together'

const getLabel = ({ name, label }: ConflictField) => label ?? getFieldLabel(name)

const toEditedText = ({ local, remote }: ConflictField, merged: string): EditedText => ({
  merged,
  yours: local,
  current: remote,
})

const countUnchangedTexts = ({ yours, current }: EditedText, { local, remote }: ConflictField): number =>
  Number(yours === local) + Number(current === remote)

export function ConflictView(props: ConflictDialogProps) {
  const { subject, fields, onKeepLocal, onKeepRemote, onClose } = props
  const textFields = fields.filter(({ isText }) => isText)
  // Fixed on opening, so that another save doesn't discard the text.
  const [key] = useState(() => `conflict/${props.conflictKey}`)
  const draft = useDraft<Record<string, EditedText>>(key, {})
  const [isEditing, setEditing] = useState(false)
  const [busyChoice, setBusyChoice] = useState<VersionChoice>()
  const [failure, setFailure] = useState<string>()
  /** A stored text survives one newer version. */
  const findStoredText = (field: ConflictField) => {
    const stored = draft.value[field.name]
    return stored && countUnchangedTexts(stored, field) > 0 ? stored : undefined
  }
  const getEditedText = (field: ConflictField): EditedText =>
    findStoredText(field) ?? toEditedText(field, combineTexts(field.remote, field.local))
  const isTogether = textFields.length > 0 && (isEditing || textFields.some(findStoredText))

  async function run(choice: VersionChoice, save: () => unknown) {
    setBusyChoice(choice)
    setFailure(undefined)
    try {
      await save()
      draft.clear()
      onClose()
    } catch (reason) {
      setFailure(getErrorMessage(reason))
    } finally {
      setBusyChoice(undefined)
    }
  }

  const renderChoice = (choice: VersionChoice, label: string, save: () => unknown, { isPrimary = false } = {}) => (
    <Button
      variant={isPrimary ? 'primary' : 'outline'}
      busy={busyChoice === choice}
      busyLabel="Saving..."
      disabled={busyChoice !== undefined}
      onClick={() => run(choice, save)}
    >
      {label}
    </Button>
  )

  return (
    <Dialog
      open
      onOpenChange={(open) => !open && !busyChoice && onClose()}
      size="wide"
      title={<>{subject} was changed elsewhere</>}
      description="Someone else, or you on another device, saved a newer version while you were writing. Choose what to keep. Both versions are safe until you save."
      footer={
        <>
          <Button variant="plain" onClick={onClose} disabled={busyChoice !== undefined}>
            Decide later
          </Button>
          {renderChoice('remote', 'Keep theirs', onKeepRemote)}
          {textFields.length > 0 && !isTogether && (
            <Button onClick={() => setEditing(true)} disabled={busyChoice !== undefined}>
              Edit together
            </Button>
          )}
          {renderChoice('local', 'Keep mine', () => onKeepLocal({}), { isPrimary: !isTogether })}
          {isTogether &&
            renderChoice(
              'together',
              'Save together',
              () =>
                onKeepLocal(Object.fromEntries(textFields.map((field) => [field.name, getEditedText(field).merged]))),
              { isPrimary: true },
            )}
        </>
      }
    >
      {failure && (
        <Banner tone="error" className="mb-4">
          {failure}
        </Banner>
      )}
      {fields.length === 0 && <p className="text-ui">Both versions are the same.</p>}
      <div className="flex flex-col gap-6">
        {fields.map((field) => (
          <section key={field.name} aria-label={getLabel(field)}>
            <h3 className="mb-2 font-sans tracking-normal text-ui font-label">{getLabel(field)}</h3>
            <div className="grid grid-cols-2 gap-3 phone:grid-cols-1">
              <Version title="Mine">
                <DifferingText text={field.local} other={field.remote} kind="added" />
              </Version>
              <Version title="Theirs, as saved now">
                <DifferingText text={field.remote} other={field.local} kind="removed" />
              </Version>
            </div>
            {isTogether && field.isText && (
              <CombinedTextArea
                field={field}
                edited={getEditedText(field)}
                onChange={(text) => draft.set({ ...draft.value, [field.name]: toEditedText(field, text) })}
              />
            )}
          </section>
        ))}
      </div>
    </Dialog>
  )
}

interface CombinedTextAreaProps {
  field: ConflictField
  edited: EditedText
  onChange: (text: string) => void
}

function CombinedTextArea({ field, edited, onChange }: CombinedTextAreaProps) {
  return (
    <TextArea
      id={`together-${field.name}`}
      className="mt-3"
      label={`${getLabel(field)}, together`}
      help={
        countUnchangedTexts(edited, field) === 2
          ? 'Starts with the full text of both versions.'
          : 'One of the versions was saved again after you wrote this text.'
      }
      serif
      rows={6}
      value={edited.merged}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}

function Version({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="min-w-0 rounded-lg border border-border bg-card p-3.5">
      <p dir="auto" className="mb-1.5 text-small font-label text-muted-foreground">
        {title}
      </p>
      <div className="max-h-72 overflow-y-auto">{children}</div>
    </div>
  )
}

export function HistoryView(props: HistoryDialogProps) {
  const { entity, id, current, fields, onRestore, onOpenChange } = props
  const [restoringRev, setRestoringRev] = useState<number>()
  const [failure, setFailure] = useState<string>()
  const query = useInfiniteQuery({
    queryKey: ['keeper', 'history', entity, id],
    queryFn: ({ pageParam, signal }) =>
      callEnvelope(entries.history, {
        params: { entity, id },
        query: { ...(pageParam && { cursor: pageParam }) },
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor }) => next_cursor,
  })
  const states = query.data?.pages.flatMap(({ data = [] }) => data)
  const getText = props.getText ?? ((state) => (fields ? joinFields(state, fields) : getWriteText(state)))
  const currentText = getText(current)

  async function restore(rev: number, snapshot: Record<string, unknown>) {
    setRestoringRev(rev)
    setFailure(undefined)
    try {
      await onRestore?.(fields ? pickFields(snapshot, fields) : snapshot)
      onOpenChange(false)
    } catch (reason) {
      setFailure(getErrorMessage(reason))
    } finally {
      setRestoringRev(undefined)
    }
  }

  return (
    <Dialog
      open
      onOpenChange={(open) => restoringRev === undefined && onOpenChange(open)}
      size="large"
      title="Earlier versions"
      description="Highlighted text isn’t in the current version. When you restore a version, the current one is kept here."
    >
      {failure && (
        <Banner tone="error" className="mb-3">
          {failure}
        </Banner>
      )}
      {query.isPending && <Skeleton className="h-32" />}
      {query.error && !states && (
        <ErrorPanel
          reason={query.error}
          title={query.error.message}
          onRetry={() => query.refetch()}
          retrying={query.isRefetching}
        >
          Nothing you wrote is affected.
        </ErrorPanel>
      )}
      {states?.length === 0 && <p className="text-ui">No changes yet.</p>}
      <ol className="flex flex-col gap-3">
        {states?.map(({ rev, savedAt, snapshot }) => (
          <li key={`${rev} ${savedAt}`} className="rounded-lg border border-border bg-card p-3.5">
            <div className="mb-2 flex flex-wrap items-center justify-between gap-2">
              <p className="text-small text-muted-foreground">
                Until <Time value={savedAt} timeStyle="date-time" />
              </p>
              {onRestore && (
                <Button
                  size="small"
                  busy={restoringRev === rev}
                  disabled={restoringRev !== undefined || (fields && getText(snapshot) === '')}
                  onClick={() => restore(rev, snapshot)}
                >
                  Restore this version
                </Button>
              )}
            </div>
            <div className="max-h-72 overflow-y-auto">
              <DifferingText text={getText(snapshot)} other={currentText} kind="added" />
            </div>
          </li>
        ))}
      </ol>
      {query.hasNextPage && <ShowMore {...query} label="Show older versions" className="mt-3" />}
    </Dialog>
  )
}

function pickFields(state: Record<string, unknown>, fields: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(fields.filter((field) => field in state).map((field) => [field, state[field]]))
}

function joinFields(state: Record<string, unknown>, fields: readonly string[]): string {
  const texts = Object.values(pickFields(state, fields)).map((value) =>
    Array.isArray(value) ? value.join(', ') : String(value ?? ''),
  )
  return texts.filter((text) => text.trim() !== '').join('\n\n')
}

interface DifferingTextProps {
  text: string
  other: string
  kind: 'added' | 'removed'
}

function DifferingText({ text, other, kind }: DifferingTextProps) {
  const segments = useMemo(() => getDiffSegments(text, other), [text, other])
  if (text === '') return <p className="text-ui text-muted-foreground">Nothing.</p>
  return (
    <p className="font-serif text-read whitespace-pre-wrap wrap-break-word">
      {segments.map(({ text: segmentText, isUnique }, index) => {
        // biome-ignore lint/suspicious/noArrayIndexKey: chunks are identified by index
        if (!isUnique) return <span key={index}>{segmentText}</span>
        const Mark = kind === 'added' ? 'ins' : 'del'
        return (
          <Mark
            // biome-ignore lint/suspicious/noArrayIndexKey: segments are identified by index
            key={index}
            className={
              kind === 'added'
                ? 'rounded-xs bg-success-soft underline decoration-success decoration-2 underline-offset-[3px]'
                : 'rounded-xs bg-warning-soft no-underline decoration-dotted outline outline-1 outline-warning'
            }
          >
            {segmentText}
          </Mark>
        )
      })}
    </p>
  )
}

const fieldLabels: Record<string, string> = {
  aiVisible: 'Agents can read it',
  aliases: 'Other names',
  audioId: 'Recording',
  body: 'Text',
  content: 'Text',
  endsOn: 'To',
  expectation: 'What the answer must say',
  journeyId: 'Journey',
  judged_by: 'How the answer is checked',
  keeperTypeId: 'Keeper type',
  leadAgentId: 'Lead agent',
  mediaIds: 'Pictures and recordings',
  occurredAt: 'When',
  occurredOn: 'Day',
  startedOn: 'From',
  triggerConditions: 'Comes back when',
  triggerDate: 'Comes back on',
  triggerTimezone: 'Time zone',
}

export function getFieldLabel(name: string): string {
  const label = fieldLabels[name]
  if (label !== undefined) return label
  const text = name.replace(/_/g, ' ').replace(/\B([A-Z])/g, (capital) => ` ${capital.toLowerCase()}`)
  return text.charAt(0).toUpperCase() + text.slice(1)
}
