import { useEffect, useRef, useState } from 'react'
import { useSearchParams } from 'react-router'
import type { Keeper } from '#contract/keepers/keepers.ts'
import { mediaKinds } from '#contract/keepers/media.ts'
import { type Moment, moments } from '#contract/keepers/moments.ts'
import { isDemoKeeper } from '#contract/samples/demo-ids.ts'
import { sendOrQueue } from '#web/offline/send-or-queue.ts'
import { useEntityForm } from '#web/offline/use-entity-form.tsx'
import { Button } from '#web/ui/controls/button.tsx'
import { Kbd } from '#web/ui/controls/kbd.tsx'
import { getCommandKeyName } from '#web/ui/fields/field-keys.ts'
import { formatTime } from '#web/ui/text/format-time.ts'
import { useUploads } from '../media/form-uploads.ts'
import {
  assignPrompt,
  createBlankMomentDraft,
  getLocalNow,
  hasContent,
  type MomentDraft,
  toCreateBody,
  toMomentDraft,
} from './moment-draft.ts'
import { defaultMomentQuestion, MomentForm } from './moment-form.tsx'
import { useShowSavedMoment } from './moment-queries.ts'
import { markSettling } from './settling-moment.ts'
import { usePageKeys } from './use-page-keys.ts'

const statusVisibleMs = 6_000

interface MomentComposerProps {
  keeper: Keeper
  /** The question of the day, used as the placeholder. */
  question?: { promptId: string; prompt: string } | undefined
  /** Receives `undefined` when the moment was queued in this browser. */
  onSaved?: (moment: Moment | undefined) => void
}

export function MomentComposer({ keeper, question, onSaved }: MomentComposerProps) {
  const draftKey = `moment/new/${keeper.id}`
  const textRef = useRef<HTMLTextAreaElement>(null)
  const [statusText, setStatusText] = useState('')
  const showSavedMoment = useShowSavedMoment(keeper.id)
  const { set, ...form } = useEntityForm<Moment, MomentDraft, ReturnType<typeof toCreateBody>>({
    draftKey,
    subject: 'This moment',
    entity: null,
    toValues: toMomentDraft,
    blank: createBlankMomentDraft(),
    toBody: (draft) => toCreateBody(draft),
    send(body, { id }) {
      // The list can show the moment before this request is answered.
      markSettling(id)
      return sendOrQueue(
        moments.create,
        { params: { id: keeper.id }, body: { ...body, id } },
        { what: 'Moment', keeperId: keeper.id },
      )
    },
    onSaved(result) {
      const savedMoment = result?.state === 'sent' ? result.answer : undefined
      setStatusText(
        savedMoment
          ? `Saved${formatOtherDay(savedMoment.localDate)}.`
          : 'Saved in this browser. It will be sent as soon as the server can be reached.',
      )
      if (savedMoment) showSavedMoment(savedMoment)
      onSaved?.(savedMoment)
    },
  })
  function changeDraft(change: Parameters<typeof set>[0]) {
    setStatusText('')
    set((previous) => {
      const next = { ...previous, ...(typeof change === 'function' ? change(previous) : change) }
      return assignPrompt(previous, next, question?.promptId)
    })
  }
  const uploads = useUploads({
    keeperId: keeper.id,
    draftKey,
    kinds: mediaKinds,
    ready: form.ready,
    onPicked: (pickedMedia) => changeDraft(({ media }) => ({ media: [...media, pickedMedia] })),
  })
  // `?write` opens the page with the text box focused.
  const shouldFocus = useSearchParams()[0].has('write')
  useEffect(() => {
    if (shouldFocus && form.ready) textRef.current?.focus()
  }, [shouldFocus, form.ready])
  usePageKeys({ c: () => textRef.current?.focus(), m: () => textRef.current?.focus() })
  useEffect(() => {
    if (!statusText) return
    const timer = setTimeout(() => setStatusText(''), statusVisibleMs)
    return () => clearTimeout(timer)
  }, [statusText])

  const canSave = hasContent(form.values) && !uploads.busy && form.ready

  if (isDemoKeeper(keeper.id))
    return (
      <p data-chrome className="rounded-md border border-dashed border-border px-4 py-3 text-ui text-muted-foreground">
        This is a sample to explore. In your own keeper you can write here.
      </p>
    )
  return (
    <MomentForm
      form={{ ...form, set: changeDraft }}
      label="New moment"
      canSave={canSave}
      className="max-w-[788px]"
      keeper={keeper}
      uploads={uploads}
      textRef={textRef}
      question={question?.prompt ?? defaultMomentQuestion}
      startsFocused={shouldFocus}
      status={statusText || (uploads.busy && 'Uploading...')}
    >
      <Kbd className="phone:hidden">{`${getCommandKeyName()}↵`}</Kbd>
      <Button
        type="submit"
        variant="primary"
        disabled={!canSave}
        title={canSave ? undefined : 'Write something, or add a picture or a recording.'}
        busy={form.isSaving}
        // Keeps the focus in the text, ready for the next moment.
        onMouseDown={(event) => event.preventDefault()}
      >
        {/* Only the spinner is visible, because the row of a small phone has no space for text. */}
        {form.isSaving ? <span className="sr-only">Saving...</span> : 'Add'}
      </Button>
    </MomentForm>
  )
}

const formatOtherDay = (day: string) => (day === getLocalNow().day ? '' : ` on ${formatTime(`${day}T12:00:00`)}`)
