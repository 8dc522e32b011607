import { useMutation } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import { Link, useNavigate } from 'react-router'
import type { Reflection } from '#contract/keepers/reflections.ts'
import { ApiError } from '#web/api/api.ts'
import { createClientId } from '#web/offline/create-client-id.ts'
import { type EntityForm, type FormState, getChanges, useEntityForm } from '#web/offline/use-entity-form.tsx'
import { useWriteStatus } from '#web/offline/use-pending-writes.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { getClothIndex } from '#web/ui/drawings/cover.tsx'
import { Banner } from '#web/ui/panels/banner.tsx'
import { formatTime } from '#web/ui/text/format-time.ts'
import {
  blankReflectionDraft,
  getReadingPath,
  getReflectionDraftKey,
  getTabPath,
  requireContent,
  toReflectionDraft,
  useJournal,
} from './journal-context.ts'
import { JournalMargin } from './journal-margin.tsx'
import {
  getRejectionMessage,
  type ReflectionDraft,
  sendNewReflection,
  sendReflectionChanges,
  useInvalidateJournal,
} from './journal-queries.ts'
import { toPlainExcerpt } from './plain-excerpt.ts'
import { DateGutter, PrintedReflection, WritingFrame } from './reflection-parts.tsx'
import { WritingSheet } from './writing-sheet.tsx'

const autosaveDelayMs = 2_000

/** Saves after a pause and on leaving. Edits made during a save are saved after it. */
function useAutosave({ values, isDirty, isSaving, save }: EntityForm<ReflectionDraft>, isBlocked: boolean) {
  const saveChanges = useEffectEvent(() => {
    if (isDirty && !isBlocked) void save().then((isSaved) => isSaved && save())
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: each change restarts the save delay
  useEffect(() => {
    if (!isDirty || isSaving) return
    const timer = setTimeout(() => saveChanges(), autosaveDelayMs)
    return () => clearTimeout(timer)
  }, [isDirty, isSaving, values.content, values.topic, values.aiVisible])
  useEffect(() => {
    const handleVisibilityChange = () => {
      if (document.visibilityState === 'hidden') saveChanges()
    }
    document.addEventListener('visibilitychange', handleVisibilityChange)
    return () => document.removeEventListener('visibilitychange', handleVisibilityChange)
  }, [])
  const saveOnLeave = useEffectEvent(() => saveChanges())
  useEffect(() => () => saveOnLeave(), [])
}

/** Edits a reflection with autosave. For a promoted one, offers to save leftover edits as a new reflection. */
export function EditReflection({ reflection }: { reflection: Reflection }) {
  const navigate = useNavigate()
  const invalidateJournal = useInvalidateJournal()
  const writeStatus = useWriteStatus(reflection.keeperId, reflection.id)
  const [lastSave, setLastSave] = useState<LastSave>()
  const [isTouched, setTouched] = useState(false)
  const form = useEntityForm({
    draftKey: getReflectionDraftKey(reflection.id),
    draftOptions: { followsOtherTabs: false },
    subject: 'This reflection',
    entity: reflection,
    toValues: toReflectionDraft,
    blank: blankReflectionDraft,
    validate: requireContent,
    toBody: (draft, previous) => getChanges(previous, { ...draft, topic: draft.topic.trim() }),
    send: (changes, { rev }) => sendReflectionChanges(reflection, changes, rev ?? reflection.rev),
    async onSaved(result) {
      if (!result) return
      setLastSave({ state: result.state, at: new Date() })
      await invalidateJournal()
    },
  })
  const { values: draft, failure, conflict, isDirty } = form
  const failureStatus = failure instanceof ApiError ? failure.status : undefined
  const isLocked = failureStatus === 409 || (reflection.promotedToMemoryCard && isDirty)
  const isDeleted = failureStatus === 404
  const blockReason = isLocked ? 'locked' : isDeleted && 'deleted'
  // The new reflection stays hidden from agents if either version is hidden.
  const newReflectionDraft = { ...draft, aiVisible: draft.aiVisible && reflection.aiVisible }
  useAutosave(form, isLocked || isDeleted || conflict !== undefined)

  return (
    <WritingFrame
      gutter={<DateGutter at={reflection.createdAt} />}
      margin={<JournalMargin topic={draft.topic.trim()} excludedId={reflection.id} />}
    >
      <p data-chrome className="mb-3 flex flex-wrap items-center gap-x-3 gap-y-1 text-ui text-muted-foreground">
        You’re editing your reflection from {formatTime(reflection.createdAt)}.
        <Link to={getTabPath('write')} className="rounded-xs underline underline-offset-[3px] hover:text-foreground">
          Write a new one
        </Link>
      </p>
      {blockReason && <SaveAsNewReflection kind={blockReason} draft={newReflectionDraft} onSaved={form.discard} />}
      {conflict?.isPostponed && (
        <Banner
          tone="warning"
          className="mb-3"
          action={
            <Button size="small" onClick={conflict.compare}>
              Compare
            </Button>
          }
        >
          This reflection was saved elsewhere while you were editing. Your text is safe in this browser.
        </Banner>
      )}
      <WritingSheet
        draft={draft}
        onChange={(next) => {
          setTouched(true)
          form.set(next)
        }}
        readOnly={!form.ready || conflict !== undefined}
        status={blockReason ? queuedText : getSaveStatus(form, { isTouched, lastSave, writeStatus })}
        onSave={() => void form.save()}
        isSaving={form.isSaving}
        saveLabel="Save"
      />
      <div className="mt-3 flex justify-end print:hidden">
        <Button size="small" variant="plain" onClick={() => navigate(getReadingPath(reflection.id))}>
          Done
        </Button>
      </div>
      <PrintedReflection writing={draft} at={reflection.createdAt} verbatim />
      {form.conflictDialog}
    </WritingFrame>
  )
}

interface LastSave {
  state: 'sent' | 'queued'
  at: Date
}

interface SaveProgress {
  isTouched: boolean
  lastSave: LastSave | undefined
  writeStatus: keyof typeof writeStatusTexts
}

const queuedText = 'Saved in this browser'
const writeStatusTexts = {
  queued: queuedText,
  sent: 'Saved',
  discarded: 'Not saved. The queued changes were discarded.',
}

function getSaveStatus(
  { isSaving, isDirty, conflict, failure, errors, draftSavedAt }: FormState,
  { isTouched, lastSave, writeStatus }: SaveProgress,
): string | null {
  if (isSaving) return 'Saving...'
  if (conflict) return 'Saved elsewhere while you were editing. Your text is safe in this browser.'
  if (failure) return `Not saved. ${getRejectionMessage(failure) ?? ''} Your text is safe in this browser.`
  if (errors.content) return errors.content
  if (isDirty) return isTouched ? formatDraftSaved(draftSavedAt) : 'Changes restored'
  if (!lastSave) return null
  return lastSave.state === 'sent' ? `Saved ${formatTime(lastSave.at, 'time')}` : writeStatusTexts[writeStatus]
}

interface SaveAsNewReflectionProps {
  kind: 'locked' | 'deleted'
  draft: ReflectionDraft
  onSaved: () => void
}

function SaveAsNewReflection({ kind, draft, onSaved }: SaveAsNewReflectionProps) {
  const keeper = useJournal()
  const invalidateJournal = useInvalidateJournal()
  const navigate = useNavigate()
  const [id] = useState(createClientId)
  const save = useMutation({
    async mutationFn() {
      await sendNewReflection(keeper.id, id, draft)
      onSaved()
      await invalidateJournal()
      navigate(getReadingPath(id))
    },
  })

  return (
    <Banner
      tone="warning"
      className="mb-3"
      action={
        <Button size="small" onClick={() => save.mutate()}>
          Save as a new reflection
        </Button>
      }
    >
      {kind === 'locked'
        ? 'This reflection is now a memory card and is locked.'
        : 'This reflection was deleted while you were editing.'}{' '}
      {save.isError && 'Not saved. '}Your text is safe in this browser.
    </Banner>
  )
}

interface NewReflectionSave {
  id: string
  title: string
  state: 'sent' | 'queued'
  at: Date
}

export function NewReflection() {
  const keeper = useJournal()
  const invalidateJournal = useInvalidateJournal()
  const [saves, setSaves] = useState<NewReflectionSave[]>([])
  const lastSave = saves.at(-1)
  const writeStatus = useWriteStatus(keeper.id, lastSave?.id ?? '')
  const form = useEntityForm<Reflection, ReflectionDraft>({
    draftKey: getReflectionDraftKey(`new/${keeper.id}`),
    subject: 'This reflection',
    entity: null,
    toValues: toReflectionDraft,
    blank: blankReflectionDraft,
    send: (_, { values, id }) => sendNewReflection(keeper.id, id, values),
    async onSaved(result, { id, values: { topic, content } }) {
      if (!result) return
      const title = topic.trim() || toPlainExcerpt(content, 80)
      setSaves((previous) => [...previous, { id, title, state: result.state, at: new Date() }])
      if (result.state === 'sent') await invalidateJournal()
    },
  })
  const { values: draft, isSaving, isSaved } = form
  const isDiscarded = lastSave?.state === 'queued' && writeStatus === 'discarded'

  return (
    <WritingFrame
      gutter={<DateGutter />}
      margin={<JournalMargin topic={draft.topic.trim()} promptOffset={saves.length} />}
    >
      {lastSave && !isDiscarded && <SavedSpine key={lastSave.id} {...lastSave} />}
      <WritingSheet
        draft={draft}
        onChange={form.set}
        readOnly={!form.ready || isSaving}
        status={isSaved && lastSave ? getSavedStatus(lastSave, writeStatus) : getDraftStatus(form)}
        onSave={() => void form.save()}
        isSaving={isSaving}
        saveLabel="Save reflection"
        savedId={lastSave?.id}
      />
      {draft.content && <PrintedReflection writing={draft} at={new Date().toISOString()} verbatim />}
    </WritingFrame>
  )
}

function getDraftStatus({ failure, isDirty, restored, draftSavedAt }: FormState): string | null {
  if (failure) return `Not saved. ${getRejectionMessage(failure) ?? ''} Your text is safe in this browser.`
  if (!isDirty) return null
  return formatDraftSaved(draftSavedAt) ?? (restored ? 'Draft restored' : null)
}

const formatDraftSaved = (at: number | undefined) => (at ? `Draft saved ${formatTime(new Date(at), 'time')}` : null)

function getSavedStatus({ state, at }: NewReflectionSave, writeStatus: keyof typeof writeStatusTexts): string {
  if (state === 'sent') return `Saved ${formatTime(at, 'time')}`
  if (writeStatus === 'queued') return 'Saved in this browser. It will be sent when the server can be reached.'
  return writeStatus === 'sent' ? 'Saved.' : 'Discarded. Your reflection wasn’t sent.'
}

/** A saved reflection as the spine of a book above the next one. */
function SavedSpine({ id, title }: { id: string; title: string }) {
  const keeper = useJournal()
  return (
    <div
      data-chrome
      data-spine
      data-cloth={getClothIndex(keeper.id)}
      className="book-cover mb-3 flex h-11 animate-fade items-center gap-3 px-3.5 text-(--foil) shadow-e2 phone:-mx-1.5 print:hidden"
    >
      <FoilRule />
      <span dir="auto" className="min-w-0 flex-1 truncate ps-3 font-serif text-[1.0625rem] leading-6 phone:ps-0">
        {title}
      </span>
      <Link
        to={getReadingPath(id)}
        className="inline-flex h-full shrink-0 items-center rounded-xs px-1 text-ui font-semibold underline underline-offset-[3px] focus-visible:outline-(--foil)"
      >
        Read<span className="sr-only"> reflection</span>
      </Link>
      <FoilRule />
    </div>
  )
}

function FoilRule() {
  return <span aria-hidden className="h-full w-1 shrink-0 border-x border-(--foil) opacity-50" />
}
