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
      // The list may show it before the answer arrives here.
      markSettling(id)
      return sendOrQueue(
        moments.create,
        { params: { id: keeper.id }, body: { ...body, id } },
        { what: 'Moment', keeperId: keeper.id },
      )
    },
    onSaved(result) {
      setStatusText(
        result?.state === 'sent'
          ? `Saved${formatOtherDay(result.answer.localDate)}.`
          : 'Saved in this browser. It will be sent as soon as the server can be reached.',
      )
      if (result?.state === 'sent') showSavedMoment(result.answer)
      onSaved?.(result?.state === 'sent' ? result.answer : undefined)
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
    onPicked: (picked) => changeDraft(({ media }) => ({ media: [...media, picked] })),
  })
  // `?write` opens the page with the text box focused.
  const shouldFocus = useSearchParams()[0].has('write')
  useEffect(() => {
    if (shouldFocus && form.ready) textRef.current?.focus()
  }, [shouldFocus, form.ready])
  usePageKeys({ c: () => textRef.current?.focus(), m: () => textRef.current?.focus() })
  useEffect(() => {
    if (!statusText) return
    const timer = setTimeout(() => setStatusText(''), 6000)
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
        // A press leaves the focus in the text, so that the next moment can follow.
        onMouseDown={(event) => event.preventDefault()}
      >
        {/* As narrow as the spinner, because one row of a small phone has room for no more. */}
        {form.isSaving ? <span className="sr-only">Saving...</span> : 'Add'}
      </Button>
    </MomentForm>
  )
}

const formatOtherDay = (day: string) => (day === getLocalNow().day ? '' : ` on ${formatTime(`${day}T12:00:00`)}`)
