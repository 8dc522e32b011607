import { useEffect, useRef, useState } from 'react'
import { useSearchParams } from 'react-router'
import type { Keeper } from '#contract/keepers/keepers.ts'
import { mediaKinds } from '#contract/keepers/media.ts'
import { type Moment, moments } from '#contract/keepers/moments.ts'
import { isDemoKeeper } from '#contract/samples/demo-ids.ts'
import { getDraftId } from '#web/offline/create-client-id.ts'
import { sendOrQueue } from '#web/offline/send-or-queue.ts'
import { useDraft } from '#web/offline/use-draft.ts'
import { Button } from '#web/ui/button.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { formatTime } from '#web/ui/format-time.ts'
import { Kbd } from '#web/ui/kbd.tsx'
import { onSendKey } from '#web/ui/on-send-key.ts'
import { useUploads } from '../media/use-uploads.ts'
import { defaultMomentQuestion, MomentFields } from './moment-fields.tsx'
import { useInvalidateMoments } from './moment-queries.ts'
import { assignPrompt, createBlankWriting, getLocalNow, hasContent, toCreateBody } from './moment-writing.ts'
import { usePageKeys } from './use-page-keys.ts'

interface MomentComposerProps {
  keeper: Keeper
  /** Omits the title and the AI switch. */
  compact?: boolean
  /** The question of the day, used as the placeholder. */
  question?: { promptId: string; prompt: string } | undefined
  /** Receives `undefined` when the moment was queued in this browser. */
  onSaved?: (moment: Moment | undefined) => void
}

export function MomentComposer({ keeper, compact = false, question, onSaved }: MomentComposerProps) {
  const [initialWriting, setInitialWriting] = useState(createBlankWriting)
  const draftKey = `moment/new/${keeper.id}`
  const draft = useDraft(draftKey, initialWriting)
  const latestWriting = useRef(draft.value)
  latestWriting.current = draft.value
  const textRef = useRef<HTMLTextAreaElement>(null)
  const [saving, setSaving] = useState(false)
  const [error, setError] = useState('')
  const [statusText, setStatusText] = useState('')
  const invalidateMoments = useInvalidateMoments(keeper.id)
  const changeWriting = (update: (value: typeof draft.value) => typeof draft.value) => {
    const id = getDraftId({ value: latestWriting.current, restored: draft.restored })
    latestWriting.current = {
      ...assignPrompt(latestWriting.current, update(latestWriting.current), question?.promptId),
      id,
    }
    setStatusText('')
    draft.set(latestWriting.current)
  }
  const uploads = useUploads({
    keeperId: keeper.id,
    draftKey,
    kinds: mediaKinds,
    ready: draft.ready,
    onPicked: (picked) => changeWriting((previous) => ({ ...previous, media: [...previous.media, picked] })),
  })
  // `?write` opens the page with the text box focused.
  const shouldFocus = useSearchParams()[0].has('write')
  useEffect(() => {
    if (shouldFocus && draft.ready) textRef.current?.focus()
  }, [shouldFocus, draft.ready])
  usePageKeys({ c: () => textRef.current?.focus(), m: () => textRef.current?.focus() })
  useEffect(() => {
    if (!statusText) return
    const timer = setTimeout(() => setStatusText(''), 6000)
    return () => clearTimeout(timer)
  }, [statusText])

  const canSave = hasContent(draft.value) && !uploads.busy && draft.ready
  async function save() {
    if (!canSave || saving) return
    setSaving(true)
    setError('')
    try {
      const body = toCreateBody(draft.value)
      const sendResult = await sendOrQueue(
        moments.create,
        { params: { id: keeper.id }, body },
        { what: 'Moment', keeperId: keeper.id },
      )
      setInitialWriting(createBlankWriting())
      await draft.release()
      const dateSuffix = body.localDate === getLocalNow().day ? '' : ` on ${formatTime(`${body.localDate}T12:00:00`)}`
      setStatusText(
        sendResult.state === 'sent'
          ? `Saved${dateSuffix}.`
          : 'Saved in this browser. It will be sent as soon as the server can be reached.',
      )
      if (sendResult.state === 'sent') await invalidateMoments()
      onSaved?.(sendResult.state === 'sent' ? sendResult.answer : undefined)
    } catch (reason) {
      setError(reason instanceof Error ? reason.message : String(reason))
    } finally {
      setSaving(false)
    }
  }

  if (isDemoKeeper(keeper.id))
    return (
      <p data-chrome className="rounded-md border border-dashed border-border px-4 py-3 text-ui text-muted-foreground">
        This is a sample to explore. In your own keeper you can write here.
      </p>
    )
  return (
    <form
      data-chrome
      aria-label="New moment"
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
      onKeyDown={onSendKey(() => void save())}
      className="max-w-[788px] rounded-[3px_12px_12px_3px] border border-border bg-paper shadow-e2 focus-within:border-input"
    >
      <MomentFields
        keeper={keeper}
        value={draft.value}
        onValueChange={changeWriting}
        uploads={uploads}
        textRef={textRef}
        placeholder={question?.prompt ?? defaultMomentQuestion}
        compact={compact}
        isNew
        readOnly={saving || !draft.ready}
        saving={saving}
        status={statusText || (uploads.busy ? 'Uploading...' : '')}
      >
        {/* Keeps its space, so that the row doesn't wrap with the first letter. */}
        <Kbd className={classNames('phone:hidden', !(canSave && !saving) && 'invisible')}>Ctrl Enter</Kbd>
        <Button
          type="submit"
          variant="primary"
          disabled={!canSave}
          title={canSave ? undefined : 'Write something, or add a picture or a recording.'}
          busy={saving}
          busyLabel="Saving..."
        >
          Add
        </Button>
      </MomentFields>
      {error && (
        <p role="alert" className="px-6 pb-4 text-ui font-medium text-destructive">
          {error}
        </p>
      )}
    </form>
  )
}
