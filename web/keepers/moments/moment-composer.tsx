import { type ComponentProps, useEffect, useRef, useState } from 'react'
import { useSearchParams } from 'react-router'
import type { Keeper } from '#contract/keepers/keepers.ts'
import { mediaKinds } from '#contract/keepers/media.ts'
import { type Moment, moments } from '#contract/keepers/moments.ts'
import { isDemoKeeper } from '#contract/samples/demo-ids.ts'
import { sendOrQueue } from '#web/offline/send-or-queue.ts'
import { type EntityForm, useEntityForm } from '#web/offline/use-entity-form.tsx'
import { Button } from '#web/ui/controls/button.tsx'
import { Kbd } from '#web/ui/controls/kbd.tsx'
import { onSendKey } from '#web/ui/fields/on-send-key.ts'
import { classNames } from '#web/ui/hooks/class-names.ts'
import { formatTime } from '#web/ui/text/format-time.ts'
import { useUploads } from '../media/form-uploads.ts'
import { defaultMomentQuestion, MomentFields } from './moment-fields.tsx'
import { useInvalidateMoments } from './moment-queries.ts'
import {
  assignPrompt,
  createBlankWriting,
  getLocalNow,
  hasContent,
  type MomentWriting,
  toCreateBody,
  toMomentWriting,
} from './moment-writing.ts'
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
  const draftKey = `moment/new/${keeper.id}`
  const textRef = useRef<HTMLTextAreaElement>(null)
  const [statusText, setStatusText] = useState('')
  const invalidateMoments = useInvalidateMoments(keeper.id)
  const { set, ...form } = useEntityForm<Moment, MomentWriting, ReturnType<typeof toCreateBody>>({
    draftKey,
    subject: 'This moment',
    entity: null,
    toValues: toMomentWriting,
    blank: createBlankWriting(),
    toBody: (writing) => toCreateBody(writing),
    send: (body, { id }) =>
      sendOrQueue(
        moments.create,
        { params: { id: keeper.id }, body: { ...body, id } },
        { what: 'Moment', keeperId: keeper.id },
      ),
    async onSaved(result) {
      setStatusText(
        result?.state === 'sent'
          ? `Saved${formatOtherDay(result.answer.localDate)}.`
          : 'Saved in this browser. It will be sent as soon as the server can be reached.',
      )
      if (result?.state === 'sent') await invalidateMoments()
      onSaved?.(result?.state === 'sent' ? result.answer : undefined)
    },
  })
  function changeWriting(change: Parameters<typeof set>[0]) {
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
    onPicked: (picked) => changeWriting(({ media }) => ({ media: [...media, picked] })),
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

  const { isSaving } = form
  const canSave = hasContent(form.values) && !uploads.busy && form.ready

  if (isDemoKeeper(keeper.id))
    return (
      <p data-chrome className="rounded-md border border-dashed border-border px-4 py-3 text-ui text-muted-foreground">
        This is a sample to explore. In your own keeper you can write here.
      </p>
    )
  return (
    <MomentForm
      form={{ ...form, set: changeWriting }}
      label="New moment"
      canSave={canSave}
      className="max-w-[788px]"
      keeper={keeper}
      uploads={uploads}
      textRef={textRef}
      placeholder={question?.prompt ?? defaultMomentQuestion}
      compact={compact}
      isNew
      status={statusText || (uploads.busy ? 'Uploading...' : '')}
    >
      {/* Keeps its space, so that the row doesn't wrap with the first letter. */}
      <Kbd className={classNames('phone:hidden', !(canSave && !isSaving) && 'invisible')}>Ctrl Enter</Kbd>
      <Button
        type="submit"
        variant="primary"
        disabled={!canSave}
        title={canSave ? undefined : 'Write something, or add a picture or a recording.'}
        busy={isSaving}
        busyLabel="Saving..."
      >
        Add
      </Button>
    </MomentForm>
  )
}

const formatOtherDay = (day: string) => (day === getLocalNow().day ? '' : ` on ${formatTime(`${day}T12:00:00`)}`)

interface MomentFormProps
  extends Omit<ComponentProps<typeof MomentFields>, 'value' | 'onValueChange' | 'readOnly' | 'saving'> {
  form: EntityForm<MomentWriting>
  label: string
  canSave: boolean
  className?: string
}

export function MomentForm({ form, label, canSave, className, ...fields }: MomentFormProps) {
  const { values, set, isSaving, ready, failure, conflictDialog } = form
  const save = () => {
    if (canSave) void form.save()
  }
  return (
    <>
      <form
        data-chrome
        aria-label={label}
        onSubmit={(event) => {
          event.preventDefault()
          save()
        }}
        onKeyDown={onSendKey(save)}
        className={classNames(
          'rounded-[3px_12px_12px_3px] border border-border bg-paper shadow-e2 focus-within:border-input',
          className,
        )}
      >
        <MomentFields {...fields} value={values} onValueChange={set} readOnly={isSaving || !ready} saving={isSaving} />
        {failure !== undefined && (
          <p role="alert" className="px-6 pb-4 text-ui font-medium text-destructive">
            {failure instanceof Error ? failure.message : String(failure)}
          </p>
        )}
      </form>
      {conflictDialog}
    </>
  )
}
